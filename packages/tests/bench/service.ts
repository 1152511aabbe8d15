import { projectFolders } from "@intents/infra/bundle.ts";
import { startService } from "@intents/local/service.ts";

/** Starts the service as start.ts does, but on bundles of its own: the project's may change during the measurement. */
const service = await startService({
  env: process.env,
  seed: async (table) => (await import("@intents/local/seed.ts")).seed(table),
  report: (problem) => process.stderr.write(`${problem}\n`),
  folders: { ...projectFolders, dist: process.env["DIST"] ?? projectFolders.dist },
});
process.once("SIGTERM", async () => {
  await service.stop();
  process.exit();
});
process.stdout.write(`${service.url}\n`);
