import type { LazySchema, Route } from "@intents/contract/route.ts";
import type * as z from "zod";
import type { AssetAnswer, FeedAnswer, FileAnswer, LinkAnswer, ListAnswer, PageAnswer } from "./answers.ts";
import type { Committed } from "./idempotency/idempotency.ts";

/** A schema's output, read-only at every depth. */
type Frozen<Value> = Value extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;
type Shape<Schema> = Schema extends LazySchema<infer Known> ? Frozen<z.output<Known>> : never;

/** The result of a route's handler, by the route's contract. */
export type HandlerResult<R extends Route> = R["idempotency"] extends "by_key"
  ? Committed
  : R["answers"] extends { data: infer Data }
    ? Shape<Data>
    : R["answers"] extends { item: infer Item }
      ? R["answers"] extends { feed: true }
        ? FeedAnswer<Shape<Item>>
        : ListAnswer<Shape<Item>>
      : R["answers"] extends { file: unknown }
        ? R["answers"] extends { orLink: true }
          ? FileAnswer | LinkAnswer
          : FileAnswer
        : R["answers"] extends { page: unknown }
          ? PageAnswer
          : R["answers"] extends { asset: unknown }
            ? AssetAnswer
            : never;

/**
 * Fields of handlers' answers that the contract does not name, each as a sentence: an object may have more fields than its
 * type says, and a new one of the service's own would otherwise leave with it.
 */
export type UndeclaredFields<Routes extends Record<string, Route>, Handlers> = {
  /** A property, because the compiler would name a type of its own by all that it is made from. */
  named: {
    [Name in keyof Routes & keyof Handlers & string]: Named<Name, UndeclaredBy<Routes[Name], ValueOf<Handlers[Name]>>>;
  }[keyof Routes & keyof Handlers & string];
};
type Named<Name extends string, Field> = Field extends string ? `${Name} does not declare ${Field}` : never;

/** The fields that a handler's data, or its items, have beyond the contract. */
type UndeclaredBy<R extends Route, Value> = Value extends Committed
  ? never
  : R["answers"] extends { data: infer Data }
    ? Undeclared<Value, Shape<Data>>
    : R["answers"] extends { item: infer Item }
      ? Value extends { items: infer Items }
        ? Undeclared<Items, readonly Shape<Item>[]>
        : never
      : never;

type ValueOf<Handler> = Handler extends (...request: never[]) => Promise<infer Outcome>
  ? Outcome extends { ok: true; value: infer Value }
    ? Value
    : never
  : never;

/** The dotted paths of a value that a shape has no field for. Values are looked into ten fields deep. */
type Undeclared<Value, Known, Deep extends 0[] = []> = Deep["length"] extends 10
  ? never
  : Value extends readonly (infer Element)[]
    ? Undeclared<Element, Known extends readonly (infer Item)[] ? Item : never, [...Deep, 0]>
    : Value extends object
      ? {
          [Name in keyof Value & string]: Name extends NamesOf<Known>
            ? Below<Name, Undeclared<NonNullable<Value[Name]>, FieldOf<Known, Name>, [...Deep, 0]>>
            : Name;
        }[keyof Value & string]
      : never;
type NamesOf<Known> = Known extends object ? keyof Known : never;
type FieldOf<Known, Name> = Known extends object
  ? Name extends keyof Known
    ? NonNullable<Known[Name]>
    : never
  : never;
type Below<Name extends string, Path> = Path extends string ? `${Name}.${Path}` : never;
