import type { PaymentRow, Person } from "@intents/domain/search/payment-row.ts";
import { linkTo } from "./frame.ts";
import { Grid, Said, Status, When } from "./parts.tsx";

type GridProps = Readonly<{ rows: readonly PaymentRow[]; empty: string; showsTenant?: boolean }>;

/** Payments with their money and their people. */
export const PaymentGrid = ({ rows, empty, showsTenant = false }: GridProps) => (
  <Grid
    caption="Payments, newest first"
    columns={[
      { name: "payment" },
      { name: "status" },
      { name: "debited, delivered", kind: "number" },
      { name: "payer" },
      { name: "payee" },
      { name: "references" },
    ]}
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
        <>
          {row.debited === undefined ? "" : textOf(row.debited)}
          {row.delivered.map((money) => (
            <span key={money.currency} class="sub">
              {textOf(money)}
            </span>
          ))}
        </>,
        <PersonIn key="payer" {...row.payer} />,
        <Said key="payee">{row.payees.join(", ")}</Said>,
        <Said key="references">{[...row.paymentIds, ...row.references].join(", ")}</Said>,
      ],
    }))}
    empty={empty}
  />
);

export const textOf = ({ amount, currency }: NonNullable<PaymentRow["debited"]>): string => `${amount} ${currency}`;

export const PersonIn = ({ name, email }: Person) => (
  <>
    <Said>{name}</Said>
    {email !== undefined && <span class="sub said">{email}</span>}
  </>
);
