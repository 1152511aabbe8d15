/** A payment as the simulated rails hold it. */
export type RailPayment = Readonly<{
  rail: string;
  connectorPaymentId: number;
  status: string;
  totalAmount: string;
  currency: string;
}>;

/** Payments at the simulated rails, the newest first. */
export const Rail = ({ payments }: Readonly<{ payments: readonly RailPayment[] }>) =>
  payments.length === 0 ? (
    <p>Nothing yet.</p>
  ) : (
    <dl class="facts rows">
      {payments.map(({ rail, connectorPaymentId, status, totalAmount, currency }) => (
        <div key={connectorPaymentId}>
          <dt>
            {rail} {connectorPaymentId}
          </dt>
          <dd>
            {currency} {totalAmount} <span class="strong">{status}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
