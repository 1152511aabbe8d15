import { vi } from "vitest";

// A row that somebody adds for a real rail breaks no unit test: rail-rows.test.ts alone looks at the rows as they are.
vi.mock("@intents/deployment/real-rails.ts", () => import("./one-rail.ts"));
