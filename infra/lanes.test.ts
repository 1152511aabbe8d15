import { expect, test } from "vitest";
import { resourcesOf, synthesize } from "./synth-fixture.ts";

test.each(["sandbox", "production"] as const)(
  "%s asks rails by queues of their own, one question in a message, so many at once and no more",
  (stage) => {
    const { api } = synthesize(stage);
    const mappings = resourcesOf(api, "AWS::Lambda::EventSourceMapping").map(([, mapping]) => mapping);
    const asked = mappings.filter(({ BatchSize }) => BatchSize === 1);
    expect(asked).toHaveLength(3);
    for (const mapping of asked) expect(mapping).toMatchObject({ ScalingConfig: { MaximumConcurrency: 30 } });
  },
);
