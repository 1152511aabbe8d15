import examples from "@intents/contract/openapi/recorded.json" with { type: "json" };
import { expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { recordExamples } from "./record-examples.ts";
import { openService } from "./service-fixture.ts";

const { client } = await openService(noRateLimit);

const answersIn = (recorded: Readonly<Record<string, object>>): string[] =>
  Object.entries(recorded).flatMap(([route, answers]) => Object.keys(answers).map((status) => `${route} ${status}`));

test("`pnpm examples` records every request and answer that the document shows", async () => {
  expect(answersIn(await recordExamples(client))).toEqual(expect.arrayContaining(answersIn(examples)));
});
