import { groupAmount, type Money } from "@intents/domain/amounts/money.ts";
import type { PaymentRow, Person } from "@intents/domain/search/payment-row.ts";
import { linkTo } from "./frame.ts";
import { Grid, numbers, Said, Status, When } from "./parts.tsx";

type GridProps = Readonly<{ rows: readonly PaymentRow[]; empty: string; showsTenant?: boolean }>;

/** Payments with their money and their people. */
export const PaymentGrid = ({ rows, empty, showsTenant = false }: GridProps) => (
  <Grid
    caption="Payments, newest first"
    columns={["payment", "status", numbers("money, for payees"), "payer", "payee", "references"]}
    rows={rows.map((row) => ({
      key: row.id,
      cells: [
        <>
          <a href={linkTo("intent", { tenant: row.tenantId, id: row.id })}>{row.id}</a>
          <span class="sub">
            <When at={row.createdAt} />
            {showsTenant && `, tenant ${row.tenantId}`}
          </span>
        </>,
        <Status key="status" status={row.status} />,
        <MoneyOf key="money" money={row.money} />,
        <PersonIn key="payer" {...row.payer} />,
        <Said key="payee">{row.payees.join(", ")}</Said>,
        <Said key="references">{[...row.paymentIds, ...row.externalIds, ...row.references].join(", ")}</Said>,
      ],
    }))}
    empty={empty}
  />
);

/**
 * Where the money of a payment is: for each state the payer's side, the fees, and the payees' side. A fee stands alone
 * where its recipient's money has come back.
 */
export const MoneyOf = ({ money }: Pick<PaymentRow, "money">) => (
  <>
    {Object.entries(money).map(([state, { payerAmount, fee, payeeAmount }]) => (
      <span key={state} class="money">
        {state} {payerAmount.map(textOf).join(", ")}
        {payerAmount.length === 0 && (fee.length === 0 || payeeAmount.length > 0) && "?"}
        {fee.length > 0 && <span class="sub">fee {fee.map(textOf).join(", ")}</span>}
        {payeeAmount.length > 0 && <span class="sub">for {payeeAmount.map(textOf).join(", ")}</span>}
      </span>
    ))}
  </>
);

export const textOf = ({ amount, currency }: Money): string => `${groupAmount(amount)} ${currency}`;

export const PersonIn = ({ name, email }: Person) => (
  <>
    <Said>{name}</Said>
    {email !== undefined && <span class="sub said">{email}</span>}
  </>
);
