import { join } from "node:path";
import { folder } from "./tools.ts";

/** schemathesis: its arguments are the address of a service, and options of its command `run`. */
export const fuzz =
  `"$PYTHON_TOOLS/bin/python" -m schemathesis.cli --config-file "${join(folder, "schemathesis.toml")}" ` +
  'run "$CONTRACT" --url "$@"';
