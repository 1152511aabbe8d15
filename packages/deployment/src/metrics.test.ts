import { afterEach, expect, test } from "vitest";
import { METRICS_NAMESPACE, measured } from "./metrics.ts";

afterEach(() => {
  delete process.env[METRICS_NAMESPACE];
});

test("a line of a log is a metric in CloudWatch's embedded format", () => {
  process.env[METRICS_NAMESPACE] = "payment-intents-sandbox";
  expect(measured("OverdueTimers", 3, {}, 1_700_000_000_000)).toEqual({
    _aws: {
      Timestamp: 1_700_000_000_000,
      CloudWatchMetrics: [
        { Namespace: "payment-intents-sandbox", Dimensions: [[]], Metrics: [{ Name: "OverdueTimers", Unit: "Count" }] },
      ],
    },
    OverdueTimers: 3,
  });
});

test("without a namespace a line is no metric, and says nothing more", () => {
  expect(measured("OverdueTimers", 3, {}, 0)).toEqual({});
});
