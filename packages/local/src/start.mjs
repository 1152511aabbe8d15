// Plain JavaScript, so that a Node.js which cannot run TypeScript still says so.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Node.js 22.18 or newer is needed, 24 is best; this is ${process.version}. See https://nodejs.org\n`,
  );
  process.exit(1);
}
await import("./start.ts");
