import type { Endpoint } from "./document.ts";

const pascal = (words: string): string => words.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const camel = (words: string): string => pascal(words).replace(/^\w/, (letter) => letter.toLowerCase());

/** The resource of an endpoint, by the first word of its path: `payment-intents` is `paymentIntents`. */
export const resourceOf = ({ path }: Pick<Endpoint, "path">): string =>
  camel(path.replace(/^\/v\d+/, "").split("/")[1] ?? "");

const typeNameOf = (resource: string): string => resource.replace(/^\w/, (letter) => letter.toUpperCase());
export const methodsTypeOf = (resource: string): string => `${typeNameOf(resource)}Methods`;

/** The method of an endpoint: its operation without the resource's name, so that `createStudent` is `create`. */
export function methodOf({ path, operation }: Endpoint): string {
  const noun = typeNameOf(resourceOf({ path })).replace(/s$/, "");
  return operation.operationId.replace(new RegExp(`${noun}s?`), "");
}

/** The option by which a header is sent: `Idempotency-Key` is `idempotencyKey`. */
export const optionOf = (header: string): string => camel(header.replace(/^X-/, "").toLowerCase());
