import { expect, test } from "vitest";
import { policyOf } from "./policy-fixture.ts";
import { additions, resourcesOf, synthesize, uses } from "./synth-fixture.ts";

const production = synthesize("production");
const added = synthesize("production", additions);

/** The variables of every function, by the function's name as its logical id spells it. */
const variablesOf = ({ api }: typeof production): [string, Readonly<Record<string, unknown>>][] =>
  resourcesOf(api, "AWS::Lambda::Function").map(([id, { Environment }]) => {
    const { Variables = {} } = (Environment ?? {}) as { Variables?: Record<string, unknown> };
    return [/^Function(.*)Function.{8}$/.exec(id)?.[1] ?? id, Variables];
  });

test("production pays by the real rail, whose secret is in no template and in no function's configuration", () => {
  const told = variablesOf(production).filter(([, variables]) => "CONNECTOR_SECRET" in variables);
  expect(told.map(([name]) => name).toSorted()).toEqual(["advanceintent", "daily", "paymentintents", "paymentlinks"]);
  for (const [, variables] of told)
    expect(variables).toMatchObject({
      CONNECTOR: "http",
      CONNECTOR_SECRET: "http=payment-intents/production/connector-secret",
    });
  expect(JSON.stringify(production.api.toJSON())).not.toContain("connector-secret:SecretString");
});

test("the signing secret may be read by who executes, when it is needed, and by nobody else", () => {
  const readers = [...uses.keys()].filter(
    (name) =>
      !/^(sandbox-|docs$)/.test(name) &&
      policyOf(production, name).some(
        ({ actions, on }) => actions.join() === "secretsmanager:GetSecretValue" && on.join() === "secret",
      ),
  );
  expect(readers).toEqual(["advance-intent", "daily", "payment-intents", "payment-links"]);
});

test("quotes are priced by which rails there are, and told no address and no secret of them", () => {
  const [, rates = {}] = variablesOf(production).find(([name]) => name === "rates") ?? [];
  expect(Object.keys(rates).filter((setting) => /CONNECTOR|RAIL/.test(setting))).toEqual(["CONNECTOR"]);
});

test("production after a move still asks where the rail was: whoever executes, or has rails asked, and nobody else", () => {
  const told = (made: typeof production) =>
    variablesOf(made).flatMap(([name, { CONNECTOR_FORMER_URLS: urls }]) =>
      urls === additions.connectorFormerUrls ? [name] : [],
    );
  expect(told(added).toSorted()).toEqual(["advanceintent", "daily", "dispatchdue", "paymentintents", "paymentlinks"]);
  expect(told(production)).toEqual([]);
});

test("two persons are asked for where a deployment says so, which operators read from one function", () => {
  const told = (made: typeof production) =>
    variablesOf(made).flatMap(([name, { TWO_PERSONS: asked }]) => (asked === undefined ? [] : [[name, asked]]));
  expect(told(production)).toEqual([["paymentintents", "off"]]);
  expect(told(added)).toEqual([["paymentintents", "on"]]);
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
