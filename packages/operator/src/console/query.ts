import { Refusal } from "../refusal.ts";

/** The parameters of a page's address. What cannot be meant is refused by its name. */
export type Query = ReturnType<typeof readQuery>;

export function readQuery(parameters: URLSearchParams) {
  /** A parameter; undefined when it is not given, or empty as forms send it. */
  const one = (name: string): string | undefined => {
    const [value, ...others] = parameters.getAll(name);
    if (others.length > 0) throw new Refusal(`${name} is given twice`);
    return value === "" ? undefined : value;
  };
  const oneOf = <Value extends string>(name: string, values: readonly Value[]): Value | undefined => {
    const given = one(name);
    const value = values.find((known) => known === given);
    if (given !== undefined && value === undefined) throw new Refusal(`${name} is one of ${values.join(", ")}`);
    return value;
  };
  const id = (name = "id"): string => {
    const given = one(name);
    if (given === undefined || !/^[\w-]{1,128}$/.test(given)) throw new Refusal(`${name} is not an id`);
    return given;
  };
  return { one, oneOf, id };
}
