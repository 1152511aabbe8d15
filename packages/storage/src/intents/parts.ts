import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Key } from "../table/keys.ts";
import { findItems } from "../table/records.ts";
import { partKey } from "../table/shared-keys.ts";
import { fromDoc, type Table, toDoc } from "../table/table.ts";
import type { Action } from "../table/transact.ts";

/** The parts of a batch that grow with its recipients. */
type Parts = Readonly<Record<"RECIPIENTS" | "PAYOUTS" | "PAYMENT_IDS", readonly unknown[]>>;

type Item = Readonly<Record<string, unknown>>;

/**
 * An intent as it is stored: that of a batch without its parts, each of which is an item of its own, so that a change
 * writes only what it changes. `parts` names those that hold something.
 */
export function divide(intent: PaymentIntent): { rest: PaymentIntent; parts?: string } {
  const names = Object.entries(partsOf(intent)).flatMap(([name, part]) => (part.length > 0 ? [name] : []));
  if (names.length === 0) return { rest: intent };
  return { rest: withParts(intent, { RECIPIENTS: [], PAYOUTS: [], PAYMENT_IDS: [] }), parts: names.join(" ") };
}

/** The writes of the parts that a change of a batch has changed. */
export function partActions(table: Table, before: PaymentIntent | undefined, after: PaymentIntent, key: Key): Action[] {
  const former: Item = before === undefined ? {} : partsOf(before);
  return Object.entries(partsOf(after)).flatMap(([name, part]): Action[] => {
    const doc = toDoc(part);
    if (doc === toDoc(former[name] ?? [])) return [];
    return [{ label: "part", write: { Put: { TableName: table.name, Item: { ...partKey(key, name), doc } } } }];
  });
}

/** The same items, those of batches with their parts in their documents again. */
export async function wholeItems(
  table: Table,
  items: readonly Item[],
  options?: Readonly<{ isStrong: boolean }>,
): Promise<Item[]> {
  const keys = items.flatMap((item) => namesIn(item).map((name) => partKey(item as Key, name)));
  if (keys.length === 0) return [...items];
  const nameOf = ({ PK, SK }: Item) => `${PK} ${SK}`;
  const found = new Map((await findItems(table, keys, options)).map((part) => [nameOf(part), part]));
  return items.map((item) => {
    const parts = namesIn(item).flatMap((name) => {
      const part = found.get(nameOf(partKey(item as Key, name)));
      return part === undefined ? [] : [[name, fromDoc(part)]];
    });
    if (parts.length === 0) return item;
    const intent = fromDoc<PaymentIntent>(item);
    return { ...item, doc: toDoc(withParts(intent, { ...partsOf(intent), ...Object.fromEntries(parts) })) };
  });
}

const namesIn = ({ parts }: Item): string[] => (typeof parts === "string" ? parts.split(" ") : []);

function partsOf({
  deliveryMode,
  recipients,
  connectorPayment,
  executions,
}: PaymentIntent): Parts | Record<string, never> {
  if (deliveryMode !== "bulk") return {};
  return {
    RECIPIENTS: recipients,
    PAYOUTS: connectorPayment?.payouts ?? [],
    PAYMENT_IDS: executions.at(-1)?.connectorPaymentIds ?? [],
  };
}

function withParts(intent: PaymentIntent, { RECIPIENTS, PAYOUTS, PAYMENT_IDS }: Parts): PaymentIntent {
  const { connectorPayment, executions } = intent;
  const last = executions.at(-1);
  return {
    ...intent,
    recipients: RECIPIENTS as PaymentIntent["recipients"],
    ...(last !== undefined && {
      executions: [...executions.slice(0, -1), { ...last, connectorPaymentIds: PAYMENT_IDS as number[] }],
    }),
    ...(connectorPayment !== undefined && {
      connectorPayment: { ...connectorPayment, payouts: PAYOUTS as (typeof connectorPayment)["payouts"] },
    }),
  };
}
