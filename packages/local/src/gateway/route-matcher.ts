import { methodsOf, type Route } from "@intents/contract/route.ts";

/** The resource of the API that a path belongs to, and its route unless the method is undeclared. */
export type Match = Readonly<{
  resource: string;
  route: Route | undefined;
  /** URL-decoded. */
  pathParameters: Record<string, string> | null;
}>;

/** One step of a path. A static next step wins over a parameter, as it does in API Gateway. */
type Step = {
  readonly next: Map<string, Step>;
  parameter?: Step;
  resource?: { readonly name: string; readonly parameters: readonly string[]; readonly routes: Map<string, Route> };
};

/** Resource of every path that no route names; the fallback function answers it. */
export const PROXY_RESOURCE = "/{proxy+}";

/** Finds the route of a method and a path. Throws URIError when the path is not properly percent-encoded. */
export function routeMatcher(routes: Readonly<Record<string, Route>>): (method: string, path: string) => Match {
  const root: Step = { next: new Map() };
  for (const route of Object.values(routes)) addRoute(root, route);

  return (method, path) => {
    const values: string[] = [];
    let step: Step | undefined = root;
    // One trailing slash is ignored.
    const end = path.endsWith("/") ? path.length - 1 : path.length;
    for (let start = 1; start <= end && step !== undefined; ) {
      const slash = path.indexOf("/", start);
      const stop = slash === -1 || slash > end ? end : slash;
      const segment = decoded(path.slice(start, stop));
      const literal: Step | undefined = step.next.get(segment);
      if (literal === undefined && segment !== "") values.push(segment);
      step = literal ?? (segment === "" ? undefined : step.parameter);
      start = stop + 1;
    }
    const resource = step?.resource;
    if (resource === undefined) {
      return { resource: PROXY_RESOURCE, route: undefined, pathParameters: { proxy: decoded(path.slice(1)) } };
    }
    const pairs = resource.parameters.map((name, index) => [name, values[index] ?? ""] as const);
    return {
      resource: resource.name,
      route: resource.routes.get(method),
      pathParameters: pairs.length === 0 ? null : Object.fromEntries(pairs),
    };
  };
}

function addRoute(root: Step, route: Route): void {
  const [, name = ""] = route.on.split(" ");
  const parameters: string[] = [];
  let step = root;
  for (const segment of name.split("/").filter(Boolean)) {
    if (segment.startsWith("{")) {
      parameters.push(segment.slice(1, -1));
      step.parameter ??= { next: new Map() };
      step = step.parameter;
    } else {
      const next = step.next.get(segment) ?? { next: new Map() };
      step.next.set(segment, next);
      step = next;
    }
  }
  step.resource ??= { name, parameters, routes: new Map() };
  for (const method of methodsOf(route)) step.resource.routes.set(method, route);
}

const decoded = (text: string): string => (text.includes("%") ? decodeURIComponent(text) : text);
