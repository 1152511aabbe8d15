import { errorTable } from "@intents/contract/errors.ts";
import { faultTable } from "@intents/contract/faults.ts";
import { routes } from "@intents/contract/routes.ts";
import { type Exchange, templateOf } from "@intents/contract/test/exchange-fixture.ts";
import { note } from "../suite/notes.ts";

const all = Object.values(routes);
const paths = all.map(({ on }) => on.slice(on.indexOf(" ") + 1));
/** Errors by the beginning of what their answers say. */
const names = new Map(
  Object.entries({ ...faultTable, ...errorTable }).map(([name, { status, message, ...row }]) => {
    const code = "code" in row ? `${row.code} ` : "";
    return [`${status} ${code}${message}`, name];
  }),
);

/** Notes an answer by its route, or by `no route`, and its success or error: `GET /v2/payees/{id} not_found`. */
export function noteAnswer({
  method,
  path,
  status,
  body,
}: Pick<Exchange, "method" | "path" | "status" | "body">): void {
  const on = `${method} ${templateOf(paths, path.split("?")[0] ?? "")}`;
  const route = all.find((one) => one.on === on);
  const answer =
    status < 400 ? "ok" : (errorIn(status, body) ?? route?.errors?.find((name) => errorTable[name].status === status));
  if (answer !== undefined) note("answers", `${route?.on ?? "no route"} ${answer}`);
}

/** The error that a JSON body is of; a page tells no more than its status. */
function errorIn(status: number, body: unknown): string | undefined {
  const { message } = Object(body) as { message?: string | string[] };
  return Array.isArray(message) ? "shape" : names.get(`${status} ${message?.split(". ")[0]}`);
}
