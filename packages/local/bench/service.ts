import { projectFolders } from "@intents/infra/bundle.ts";
import { startService } from "../src/service.ts";

/** As start.ts, but on bundles of its own: those of the project may be in use, or change while this measures. */
const service = await startService({
  env: process.env,
  seed: async (table) => (await import("../src/seed.ts")).seed(table),
  report: (problem) => process.stderr.write(`${problem}\n`),
  folders: { ...projectFolders, dist: process.env["DIST"] ?? projectFolders.dist },
});
process.once("SIGTERM", async () => {
  await service.stop();
  process.exit();
});
process.stdout.write(`${service.url}\n`);
