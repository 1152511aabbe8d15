import { describe, expect, test } from "vitest";
import { storedIntent } from "../../test/intent-fixture.ts";
import { actorOf, callerActor, submitterOf } from "./audit-event.ts";
import { milestoneOf } from "./milestone.ts";
import { type ClaimedIntent, type Execution, isClaimed, type PaymentIntent } from "./payment-intent.ts";
import { railNamedBy, railOf } from "./rail-of.ts";
import { mayHaveBeenReleased, wasNeverClaimed } from "./review.ts";
import { paymentIdsOf, type SubmittedWork } from "./submission.ts";

const STARTED_AT = "2026-11-21T09:00:00.000Z";
const execution = (status: Execution["status"], more: Partial<Execution> = {}) =>
  ({ executionId: "e1", connector: "sandbox", currency: "BRL", status, startedAt: STARTED_AT, ...more }) as Execution;
const claimed = (submission: object, more: Partial<PaymentIntent> = {}) =>
  storedIntent({ submission, ...more } as Partial<PaymentIntent>) as ClaimedIntent;

describe("the milestone of a change", () => {
  const before = storedIntent({ executions: [execution("executing")] });
  const of = (...executions: Execution[]) => storedIntent({ executions, updatedAt: "2026-11-21T09:00:03.000Z" });

  test("is that the rail took the payment, once", () => {
    const taken = { kind: "submitted", rail: "sandbox", currency: "BRL" };
    expect(milestoneOf(undefined, before)).toEqual(taken);
    expect(milestoneOf(of(execution("failed", { executionId: "e0" })), before)).toEqual(taken);
    expect(milestoneOf(before, before)).toBe(undefined);
    expect(milestoneOf(undefined, storedIntent())).toBe(undefined);
  });

  test("is its end, with the time from its start to its end, or to the change", () => {
    const ended = { kind: "ended", rail: "sandbox", currency: "BRL", outcome: "completed" };
    const endedAt = "2026-11-21T09:00:01.500Z";
    expect(milestoneOf(before, of(execution("completed", { endedAt })))).toEqual({ ...ended, afterMs: 1_500 });
    expect(milestoneOf(before, of(execution("completed")))).toEqual({ ...ended, afterMs: 3_000 });
  });
});

describe("the rail of an intent", () => {
  const [own, other] = ["own", "other"].map((name) => ({ rail: { name, address: "a", remembersMs: 1 } }));
  const rails = [own, other] as unknown as Parameters<typeof railOf>[1];
  const at = (name: string, address = "a") => ({ name, address });

  test("is that of its claim, then that of its execution, by name and address", () => {
    expect(railOf(storedIntent({ rail: at("own") }), rails)).toBe(own);
    expect(railOf(claimed({ rail: at("other") }, { rail: at("own") }), rails)).toBe(other);
    expect(railOf(storedIntent({ rail: at("own", "b") }), rails)).toBe(undefined);
    expect(railOf(storedIntent(), rails)).toBe(undefined);
  });

  test("is named as far as it is known, configured or not", () => {
    expect(railNamedBy(storedIntent({ rail: at("own") }), rails)).toEqual(at("own"));
    expect(railNamedBy(storedIntent({ rail: at("gone", "c") }), rails)).toEqual(at("gone", "c"));
    expect(railNamedBy(claimed({ rail: at("gone", "d") }, { rail: at("gone", "c") }), rails)).toEqual(at("gone", "d"));
    expect(railNamedBy(storedIntent(), rails)).toEqual(at("", ""));
  });
});

describe("what an intent's history says of its claims", () => {
  const steps = (count: number) =>
    Array.from({ length: count }, () => ({ status: "draft", at: STARTED_AT, by: "u" }) as const);

  test.each([
    [2, 5, false],
    [3, 5, true],
    [2, 4, true],
  ])("at version %i with %i steps, an earlier submission may have been released: %s", (version, count, released) => {
    expect(mayHaveBeenReleased(storedIntent({ version, statusHistory: steps(count) }))).toBe(released);
  });

  test("a draft of which each change is a step was never claimed", () => {
    expect(wasNeverClaimed(storedIntent({ version: 2, statusHistory: steps(2) }))).toBe(true);
    expect(wasNeverClaimed(storedIntent({ version: 3, statusHistory: steps(2) }))).toBe(false);
    expect(wasNeverClaimed(storedIntent({ status: "failed", version: 2, statusHistory: steps(2) }))).toBe(false);
  });
});

test("a claim takes the number of the one payment or of the one deposit", () => {
  const order = { connectorPaymentId: 7 };
  expect(paymentIdsOf({ kind: "payment", order, commissionSpread: "0" } as unknown as SubmittedWork)).toEqual([7]);
  expect(paymentIdsOf({ kind: "bulk", variants: [], connectorPaymentId: 8 })).toEqual([8]);
});

test("an intent with a submission is claimed", () => {
  expect(isClaimed(storedIntent())).toBe(false);
  expect(isClaimed(claimed({}))).toBe(true);
});

test("an event's author is the user of a key with its client, or named like the cause", () => {
  expect(callerActor({ userId: "ana", clientId: "acme" })).toEqual({ cause: "caller", name: "ana", clientId: "acme" });
  expect(actorOf("rail")).toEqual({ cause: "rail", name: "rail" });
  const byKey = claimed({ actor: "ana", clientId: "acme" });
  expect(submitterOf(byKey)).toEqual({ cause: "caller", name: "ana", clientId: "acme" });
  const byLink = claimed({ actor: "payer" }, { deliveryMode: "payment_link_submission" });
  expect(submitterOf(byLink)).toStrictEqual({ cause: "payer", name: "payer" });
});
