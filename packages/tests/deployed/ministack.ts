import { findTool, homeOf, installPython, lacksPython, pythonIn, works } from "./installation.ts";

const VERSION = "1.5.33";
const home = homeOf(`ministack-${VERSION}`);

/** The Python that has MiniStack, or why this machine has none. */
export type Ministack = Readonly<{ python: string } | { missing: string }>;

/** Finds MiniStack, an emulator of AWS in Python, and installs it first if needed. */
export async function findMinistack(): Promise<Ministack> {
  if (process.platform !== "linux") return { missing: "not on Linux" };
  if (!(await works("openssl", "version"))) return { missing: "no openssl" };
  const fill = installPython(`ministack==${VERSION}`);
  const found = await findTool({ name: `MiniStack ${VERSION}`, home, isInstalled, lacks: () => lacksPython(10), fill });
  return "missing" in found ? found : { python: pythonIn(home) };
}

/** Whether MiniStack is installed; false also if the Python of its installation has gone. */
const isInstalled = (): Promise<boolean> =>
  works(
    pythonIn(home),
    "-c",
    `import ministack, importlib.metadata as m; assert m.version("ministack") == "${VERSION}"`,
  );
