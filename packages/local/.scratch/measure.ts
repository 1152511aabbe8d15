import { bundleFunctions, ensureBundles } from "@intents/infra/bundle.ts";
const folders = { root: "/work/main", functions: "/work/main/packages/local/.scratch/functions", dist: "/work/main/packages/local/.scratch/dist" };
let t = performance.now(); const b = await bundleFunctions(folders); console.log("bundle", performance.now() - t, b.map((x) => `${x.name} ${x.bytes}`).join(", "));
t = performance.now(); console.log(await ensureBundles(folders), performance.now() - t);
t = performance.now(); console.log(await ensureBundles(folders), performance.now() - t);
