import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Recipient } from "../scenarios/draft.ts";
import { type MoneyPart, moneyStates } from "./money-state.ts";
import { mayBePaidAgain, paidAlready, payableAgain, reissuableOf } from "./reissuable.ts";

const part = (order: number, state: MoneyPart["state"]): MoneyPart => ({ part: "recipient", order, state });
const payee = (connectorPayeeId: number): Recipient => ({ connectorPayeeId, role: "education_provider" });

describe("money that may be paid again", () => {
  test("has failed or come back", () => {
    expect(moneyStates.filter(mayBePaidAgain)).toEqual(["failed", "returned"]);
  });

  test("is a recipient's only if all that is told of it says so: an order that the rail took late may have arrived", () => {
    const parts = [part(0, "failed"), part(0, "delivered"), part(1, "returned"), part(1, "failed"), part(2, "owed")];
    expect([...payableAgain([...parts, { part: "fee", state: "failed", order: 3 }])]).toEqual([1]);
  });

  test("is counted by payee where a payee has some already; a new payee may be named, and a tenant is one", () => {
    const recipients = [payee(1), payee(1), payee(2), { role: "tenant" } as const];
    const states = ["delivered", "failed", "failed", "delivered"] as const;
    const reissuable = reissuableOf(
      recipients,
      states.map((state, order) => part(order, state)),
    );
    expect(reissuable).toEqual({
      recipients: 2,
      perPayee: new Map([
        ["1", 1],
        ["tenant", 0],
      ]),
    });
    expect(paidAlready([payee(1), payee(2), payee(2), payee(3)], reissuable)).toEqual([]);
    expect(paidAlready([payee(1), { role: "tenant" }, payee(1)], reissuable).toSorted()).toEqual([1, 2]);
  });

  test("is all that a copy of the payable recipients pays, and a copy of all pays too much exactly if some have theirs", () => {
    const lives = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom(...moneyStates)));
    fc.assert(
      fc.property(lives, (life) => {
        const recipients = life.map(([id]) => payee(id));
        const parts = life.map(([, state], order) => part(order, state));
        const reissuable = reissuableOf(recipients, parts);
        const copied = recipients.filter((_, order) => payableAgain(parts).has(order));
        expect(copied).toHaveLength(reissuable.recipients);
        expect(paidAlready(copied, reissuable)).toEqual([]);
        expect(paidAlready(recipients, reissuable)).toHaveLength(recipients.length - copied.length);
      }),
    );
  });
});
