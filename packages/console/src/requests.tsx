import { type Frame, linkTo } from "./frame.ts";
import { Command, Grid, More, numbers, Said, Status, StatusChoice, When } from "./parts.tsx";
import { textOf } from "./payment-grid.tsx";

export type RequestsView = Readonly<{
  status?: string | undefined;
  statuses: readonly string[];
  requests: readonly Readonly<{
    requestId: string;
    status: string;
    totalAmount: string;
    currency: string;
    paymentCount: number;
    createdOn: string;
    decidedOn?: string;
    reason?: string;
    hasInvoice: boolean;
    hasProof: boolean;
    /** The payments for which it is not paid: under review, or come back since. */
    unpayable?: readonly number[];
    /** The commands that decide it, while nobody has. */
    commands: readonly string[];
  }>[];
  older?: string | undefined;
}>;

export const Requests = ({ frame, view }: Readonly<{ frame: Frame; view: RequestsView }>) => (
  <>
    <form class="filters" action="requests">
      <input type="hidden" name="tenant" value={frame.tenantId} />
      <StatusChoice label="Status" {...view} />
    </form>
    <div class="card">
      <Grid
        caption="Commission requests, newest first"
        columns={["made", "request", "status", numbers("amount"), numbers("payments"), "files", "decided"]}
        rows={view.requests.map((request) => ({
          key: request.requestId,
          cells: [
            <When key="made" at={request.createdOn} />,
            <code key="id">{request.requestId}</code>,
            <Status key="status" status={request.status} />,
            textOf({ amount: request.totalAmount, currency: request.currency }),
            request.paymentCount,
            <Files key="files" tenantId={frame.tenantId} {...request} />,
            <Decision key="decision" {...request} />,
          ],
        }))}
        empty="There is none."
      />
      <More to={view.older} />
    </div>
  </>
);

type Request = RequestsView["requests"][number];

const Files = ({ tenantId, requestId, hasInvoice, hasProof }: Request & Readonly<{ tenantId: string | undefined }>) => (
  <>
    {(["invoice", "proof"] as const)
      .filter((file) => (file === "invoice" ? hasInvoice : hasProof))
      .map((file) => (
        <a
          key={file}
          class="file"
          href={linkTo("file", { tenant: tenantId, request: requestId, file })}
          target="_blank"
          rel="noopener"
          aria-label={`${file} of ${requestId}, in a new tab`}
        >
          {file}
        </a>
      ))}
  </>
);

const Decision = ({ decidedOn, reason, unpayable, commands }: Request) => (
  <>
    <When at={decidedOn} />
    {unpayable !== undefined && <p>Not to be paid: under review or come back: {unpayable.join(", ")}</p>}
    {reason !== undefined && (
      <>
        {": "}
        <Said>{reason}</Said>
      </>
    )}
    {commands.map((command) => (
      <Command key={command} text={command} />
    ))}
  </>
);
