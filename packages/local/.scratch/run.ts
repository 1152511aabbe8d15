import { startService } from "../src/service.ts"; import { banner } from "../src/banner.ts";
const root="/work/main";
const t=performance.now();
try {
const s = await startService({ env: process.env, seed: async () => {}, report: (p) => process.stderr.write(p+"\n"), folders: { root, functions: root+"/packages/local/.scratch/functions", dist: root+"/packages/local/.scratch/dist" } });
console.log("boot", performance.now()-t, performance.now()); process.stdout.write(banner(s));
process.once("SIGTERM", async () => { const t=performance.now(); await s.stop(); console.log("stopped", performance.now()-t); });
} catch (e) { console.log("FAILED", e); }
process.on("SIGUSR2", () => { const f=(o: any)=>Object.fromEntries(Object.entries(o).map(([k,v])=>[k,Math.round(Number(v)/1e6)])); console.log("MEM", JSON.stringify(f(process.memoryUsage()))); (globalThis as any).gc?.(); console.log("GC ", JSON.stringify(f(process.memoryUsage()))); });
