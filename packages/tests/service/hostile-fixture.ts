import type { Route } from "@intents/contract/route.ts";
import fc from "fast-check";
import { type Belongings, bodyOf, pathOf } from "./belongings.ts";
import { fileForm, type Options, pdf } from "./client.ts";

/** A request that nobody would send in good faith. */
export type HostileRequest = Readonly<{ method: string; path: string; options: Options }>;

const names = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "$where",
  "$gt",
  "$or",
  "",
];
const texts = [
  ...[
    "\0",
    "a\0b",
    "\ud800",
    "a\udfff",
    "\ud83d\ud83d",
    "\u202eabc",
    "\u2066\u2069",
    "\u200b",
    "\ufeff",
    "\uffff",
    "\r\n",
  ],
  ...["../..", "..\\..", "a/b", "%00", "%", "'; --", "<script>", "{{7*7}}", "T#1001#INTENT#x", "null", "undefined"],
  ...["NaN", "Infinity", "1e999", "-0", "0x10", "00", "1.", ".5", "9".repeat(400), "0000-01-01", "+275760-09-13"],
  ...["x".repeat(141), "x".repeat(5_000), "🏫".repeat(200), "e\u0301".repeat(100), " ".repeat(300)],
];
const numbers = [
  0,
  -0,
  -1,
  1.5,
  1e-7,
  5e-324,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  0.1 + 0.2,
];

const text = fc.oneof(fc.constantFrom(...names, ...texts), fc.string({ unit: "binary", maxLength: 20 }));
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, fc.constantFrom(...numbers), fc.constantFrom(null, true, false)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Texts in place of JSON, most of them none. */
const rawBody = fc.constantFrom(
  ...["", "{", "nul", "\ufeff{}", '{"a":1}{"b":2}', "1e999", '{"__proto__":{"admin":true}}', '{"a":1,"a":2}', "\0"],
  ...["[".repeat(5_000), '{"a":'.repeat(5_000), `[${"[],".repeat(5_000)}1]`, `"${"\\ud800".repeat(1_000)}"`],
);

/** A value in which one place holds something else, or which has one property more. */
const spoiled = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value !== "object" || value === null) return json;
  const entries = Object.entries(value);
  const places = entries.map(([name, part]) => spoiled(part).map((other) => withEntry(value, name, other)));
  return fc.oneof(
    ...places,
    fc.tuple(text, json).map(([name, part]) => withEntry(value, name, part)),
  );
};
const withEntry = (value: object, name: string, part: unknown): object =>
  Array.isArray(value)
    ? value.map((item, index) => (String(index) === name ? part : item))
    : Object.fromEntries([...Object.entries(value), [name, part]]);

const parameterNames = [
  ...[
    "limit",
    "skip",
    "cursor",
    "sort",
    "filter",
    "projection",
    "population",
    "reportPeriod",
    "paymentIntentId",
    "lang",
  ],
  ...["filter[$or][0][status]", "filter[createdAt][$gt]", "filter[__proto__][x]", "population[0][path]", "a[b"],
  ...["filter[recipients][$elemMatch][role]", "sort[]", "limit[]", "filter[x][$regex]", `filter${"[a]".repeat(50)}`],
];
const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...parameterNames), text), fc.oneof(text, json)), { maxLength: 4 })
  .map((pairs) =>
    pairs.map((pair) => pair.map((part) => encodeURIComponent(asText(part).slice(0, 1_000).toWellFormed())).join("=")),
  )
  .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));

const headerNames = [
  ...[
    "Idempotency-Key",
    "Preview-Hash",
    "If-Match",
    "If-None-Match",
    "X-Explain",
    "Accept-Language",
    "Accept-Encoding",
    "Content-Type",
  ],
  ...["Content-Encoding", "X-Request-Id", "X-Forwarded-For", "CloudFront-Viewer-Address", "Range", "Cookie", "Origin"],
];
const headerValue = text.map((value) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, "~").slice(0, 2_000));
const headers = fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 2, noNullPrototype: true });

/** One segment of a path: a text, or bytes that are no UTF-8. What leads upwards the client itself would resolve. */
const segment = fc
  .oneof(
    text.map((value) => encodeURIComponent(value.toWellFormed().slice(0, 300)) || "%20"),
    fc.constantFrom("%ED%A0%80", "%FF", "%", "%zz", "%2F", "%2e%2e%2f", "%C0%AF", "%00"),
  )
  .filter((sent) => !/^(\.|%2e){1,2}$/i.test(sent));

function formOf({ parts = {} }: Route): fc.Arbitrary<FormData> {
  const name = fc.oneof(fc.constantFrom(...Object.keys(parts)), text);
  const field = fc.tuple(name, fc.boolean(), text);
  return fc.array(field, { maxLength: 4 }).map((fields) => {
    const form = new FormData();
    for (const [part, isFile, value] of fields) {
      if (isFile) form.append(part, fileForm(pdf(), value, "application/pdf", "x").get("x") ?? "");
      else form.append(part, value);
    }
    return form;
  });
}

/** Requests to `route` that are wrong anywhere: in body, query, path or headers. */
export function hostileTo(route: Route, owned: Belongings): fc.Arbitrary<HostileRequest> {
  const [method = "", pattern = ""] = route.on.split(" ");
  const known = pathOf(route, owned).split("?")[0] ?? "";
  const parameters = pattern.match(/\{\w+\}/g) ?? [];
  const hostilePath = fc
    .tuple(...parameters.map(() => segment))
    .map((ids) => ids.reduce((path, id, index) => path.replace(parameters[index] ?? "", () => id), pattern));
  const path = parameters.length === 0 ? fc.constant(known) : fc.oneof(fc.constant(known), hostilePath);
  const sample = bodyOf(route, owned);
  const body: fc.Arbitrary<Options> =
    method === "GET"
      ? fc.constant({})
      : fc.oneof(
          ...(route.form === "multipart" ? [formOf(route).map((form) => ({ form }))] : []),
          ...(sample === undefined ? [] : [spoiled(sample).map((spoilt) => ({ raw: JSON.stringify(spoilt) }))]),
          json.map((value) => ({ raw: JSON.stringify(value) })),
          rawBody.map((raw) => ({ raw })),
        );
  return fc.tuple(path, query, headers, body).map(([asked, queried, sentHeaders, sent]) => {
    const { "Content-Type": type, ...others } = sentHeaders;
    // A form's own content type tells where its parts begin.
    const headers = type === undefined || sent.form !== undefined ? others : sentHeaders;
    return { method, path: `${asked}${queried}`, options: { ...sent, headers: headers } };
  });
}
