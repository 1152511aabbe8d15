import type { Obstacle } from "@intents/execution/operations/obstacle.ts";
import { expect, test } from "vitest";
import { sentenceOf } from "./obstacles.ts";

const sentences: readonly (readonly [Obstacle, string])[] = [
  [{ kind: "not_cancellable", status: "cancelled" }, "The intent is cancelled, which cannot be cancelled"],
  [{ kind: "on_its_way", waitSeconds: 30 }, "The rail was asked to pay a moment ago: try again in 30 seconds"],
  [
    { kind: "on_its_way", waitSeconds: 30, order: 2 },
    "The rail was asked to pay recipient 2 a moment ago: try again in 30 seconds",
  ],
  [
    { kind: "rail_silent", reason: "down" },
    "The rail does not tell whether it has the payment: down. Try again once it answers",
  ],
  [
    { kind: "rail_silent", reason: "down", order: 0 },
    "The rail does not tell whether it paid recipient 0: down. Try again once it answers",
  ],
  [{ kind: "not_called_off" }, "The rail did not call the payment off: it may be paid at any moment"],
  [{ kind: "not_called_off", answer: "pending" }, 'The rail did not call the payment off: it says "pending"'],
  [{ kind: "never_sent", orders: [0] }, "Nothing was sent for recipient 0: no rail can have paid that"],
  [{ kind: "being_asked", orders: [0, 3] }, "The rail is being asked about the recipients 0, 3: try again in a minute"],
  [{ kind: "others_in_record", orders: [0, 1], others: [7] }, "The record is about recipients 0, 1, and not about 7"],
];

test.each(sentences)("%j is told in a sentence", (obstacle, sentence) => {
  expect(sentenceOf(obstacle)).toBe(sentence);
});
