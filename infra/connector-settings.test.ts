import { expect, test } from "vitest";
import { resourcesOf, synthesize } from "./synth-fixture.ts";

const FORMER_URLS = "https://rail.example/v1 https://old.example";
const production = synthesize("production");
const moved = synthesize("production", { connectorFormerUrls: FORMER_URLS });

/** The variables of every function, by the function's name as its logical id spells it. */
const variablesOf = ({ api }: typeof production): [string, Readonly<Record<string, unknown>>][] =>
  resourcesOf(api, "AWS::Lambda::Function").map(([id, { Environment }]) => {
    const { Variables = {} } = (Environment ?? {}) as { Variables?: Record<string, unknown> };
    return [/^Function(.*)Function.{8}$/.exec(id)?.[1] ?? id, Variables];
  });

test("production pays by the real rail, whose secret is in no template", () => {
  const [, submitter] = variablesOf(production).find(([name]) => name === "paymentintents") ?? [];
  expect(submitter).toMatchObject({
    CONNECTOR: "http",
    CONNECTOR_SECRET: "{{resolve:secretsmanager:payment-intents/production/connector-secret:SecretString:::}}",
  });
});

test("quotes are priced by which rails there are, and told no address and no secret of them", () => {
  const [, rates = {}] = variablesOf(production).find(([name]) => name === "rates") ?? [];
  expect(Object.keys(rates).filter((setting) => /CONNECTOR|RAIL/.test(setting))).toEqual(["CONNECTOR"]);
});

test("production after a move still asks where the rail was: whoever executes, and nobody else", () => {
  const told = (made: typeof production) =>
    variablesOf(made).flatMap(([name, { CONNECTOR_FORMER_URLS: urls }]) => (urls === FORMER_URLS ? [name] : []));
  expect(told(moved).toSorted()).toEqual(["advanceintent", "daily", "paymentintents", "paymentlinks"]);
  expect(told(production)).toEqual([]);
});

test.each(["http://rail.example", "https://rail.example, https://old.example", "https://"])(
  "a deployment refuses the former addresses %j",
  (connectorFormerUrls) => {
    expect(() => synthesize("production", { connectorFormerUrls })).toThrow("connectorFormerUrls must be");
  },
);
