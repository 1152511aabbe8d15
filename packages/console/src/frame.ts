/** Every page's parts around its view. */
export type Frame = Readonly<{
  /** The service that is looked at, such as `production` or `port 3000`. */
  service: string;
  isProduction: boolean;
  tenants: readonly Readonly<{ tenantId: string; name: string }>[];
  /** The tenant that is looked at. */
  tenantId?: string | undefined;
  /** When the page was read. */
  readAt: string;
}>;

type Given = Readonly<Record<string, string | number | undefined>>;

/** The address of a page, seen from any other one: all of them lie in one folder. */
export function linkTo(page: string, given: Given = {}): string {
  const parameters = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  return parameters.length === 0 ? page : `${page}?${new URLSearchParams(parameters)}`;
}
