import type { ErrorTable } from "./error-row.ts";

/** Refusals about a payment link and the payments that its payers begin. */
export const linkErrors = {
  link_not_found: {
    status: 404,
    code: "[LNK0001]",
    message: "No such payment link",
    next: "Check its address; a link exists from its submit on.",
    bindsKey: false,
  },
  link_closed: {
    status: 410,
    code: "[LNK0002]",
    message: "The payment link is closed",
    next: "Publish a new link.",
    bindsKey: false,
  },
  link_held: {
    status: 409,
    code: "[LNK0003]",
    message: "Somebody else is about to pay this link",
    next: "Try again after Retry-After, when that payment is made or given up.",
    bindsKey: false,
    retry: "told",
  },
  link_under_review: {
    status: 409,
    code: "[LNK0006]",
    message: "A payment by this link may have arrived, and is being looked into",
    next: "Do not pay again now: try again later, or ask whoever sent the link.",
    bindsKey: false,
  },
  hold_kept: {
    status: 409,
    code: "[LNK0004]",
    message: "The payment was not called off, and may be paid at any moment",
    next: "Follow its status; it can be given up after Retry-After if it has not been paid.",
    bindsKey: false,
    retry: "told",
  },
  money_received: {
    status: 409,
    code: "[LNK0007]",
    message: "The payer's money came in, so that the payment cannot be given up",
    next: "Follow its status: it is delivered, or it fails and the money is owed back.",
    bindsKey: false,
  },
  link_crowded: {
    status: 409,
    code: "[LNK0005]",
    message: "Too many unpaid payments by this link were begun from here",
    next: "Pay or call off some of them; those that are left alone end by themselves.",
    details: ["limit"],
    bindsKey: false,
  },
} as const satisfies Partial<ErrorTable>;
