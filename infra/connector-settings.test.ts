import { expect, test } from "vitest";
import { functionsOf, policyOf } from "./policy-fixture.ts";
import { additions, resourcesOf, synthesize } from "./synth-fixture.ts";

const production = synthesize("production");
const added = synthesize("production", additions);

/** The variables of every function, by the function's name as its logical id spells it. */
const variablesOf = ({ api }: typeof production): [string, Readonly<Record<string, unknown>>][] =>
  resourcesOf(api, "AWS::Lambda::Function").map(([id, { Environment }]) => {
    const { Variables = {} } = (Environment ?? {}) as { Variables?: Record<string, unknown> };
    return [/^Function(.*)Function.{8}$/.exec(id)?.[1] ?? id, Variables];
  });

test("production pays by the real rail, whose secret is in no template and in no function's configuration", () => {
  const informed = variablesOf(production).filter(([, variables]) => "CONNECTOR_SECRET" in variables);
  expect(informed.map(([name]) => name).toSorted()).toEqual([
    "advanceintent",
    "daily",
    "paymentintents",
    "paymentlinks",
  ]);
  for (const [, variables] of informed)
    expect(variables).toMatchObject({
      CONNECTOR: "http",
      CONNECTOR_SECRET: "http=payment-intents/production/connector-secret",
    });
  expect(JSON.stringify(production.api.toJSON())).not.toContain("connector-secret:SecretString");
});

test("the signing secret may be read by who executes, when it is needed, and by nobody else", () => {
  const readers = functionsOf(production).filter((name) =>
    policyOf(production, name).some(
      ({ actions, on }) => actions.join() === "secretsmanager:GetSecretValue" && on.join() === "secret",
    ),
  );
  expect(readers.toSorted()).toEqual(["advance-intent", "daily", "payment-intents", "payment-links"]);
});

test("production after a move still asks where the rail was", () => {
  const urls = (made: typeof production) =>
    new Set(variablesOf(made).map(([, { CONNECTOR_FORMER_URLS: former }]) => former));
  expect(urls(added)).toEqual(new Set([additions.connectorFormerUrls]));
  expect(urls(production)).toEqual(new Set([undefined]));
});

test("two persons are asked for where a deployment says so, which operators read from a function", () => {
  const asked = (made: typeof production) => new Set(variablesOf(made).map(([, { TWO_PERSONS }]) => TWO_PERSONS));
  expect(asked(production)).toEqual(new Set(["off"]));
  expect(asked(added)).toEqual(new Set(["on"]));
  expect(() => synthesize("production", { twoPersons: "yes" })).toThrow("twoPersons must be on or off");
});

test.each([
  "http://rail.example",
  "https://rail.example, https://old.example",
  "https://",
  "north=https://rail.example",
])("a deployment refuses the former addresses %j", (connectorFormerUrls) => {
  expect(() => synthesize("production", { connectorFormerUrls })).toThrow("connectorFormerUrls must ");
});
