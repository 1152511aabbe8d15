import type { FoundPayments } from "@intents/domain/search/payment-row.ts";
import type { Frame } from "./frame.ts";
import { Days, More } from "./parts.tsx";
import { PaymentGrid } from "./payment-grid.tsx";

export type SearchView = Readonly<{
  what: string;
  /** In all tenants. */
  isEverywhere: boolean;
  days: number;
  /** Why this cannot be looked for. */
  problem?: string;
  found?: FoundPayments;
  older?: string;
}>;

export const Search = ({ frame, view }: Readonly<{ frame: Frame; view: SearchView }>) => (
  <>
    <search>
      <form class="filters card" action="search">
        <input type="hidden" name="tenant" value={frame.tenantId} />
        <label for="what" class="wide">
          Id, bank reference, e-mail, amount with currency, name, reference, the tenant's own id, or the rail's
        </label>
        <input id="what" name="what" value={view.what} maxLength={200} required aria-describedby="problem" />
        <Days days={view.days} />
        <label>
          <input type="checkbox" name="everywhere" value="yes" checked={view.isEverywhere} /> in all tenants
        </label>
        <button type="submit">Search</button>
        {view.problem !== undefined && (
          <p id="problem" class="error">
            {view.problem}
          </p>
        )}
      </form>
    </search>
    {view.found !== undefined && <Found {...view} found={view.found} />}
  </>
);

const Found = ({
  found,
  isEverywhere,
  days,
  older,
}: SearchView & Readonly<{ found: NonNullable<SearchView["found"]> }>) => (
  <div class="card">
    <p class="hint">{noteOn(found, days)}</p>
    {found.tenantsLeft > 0 && (
      <p class="note">
        {found.tenantsLeft.toLocaleString("en")} of the tenants were not looked at: choose one, or use operator find.
      </p>
    )}
    <PaymentGrid rows={found.rows} showsTenant={isEverywhere} empty="No payment was found." />
    <More to={older} />
  </div>
);

function noteOn({ by, looked, after }: NonNullable<SearchView["found"]>, days: number): string {
  if (by === "key") return "Found by its id.";
  const payments = looked.toLocaleString("en");
  return after === undefined
    ? `Looked at all ${payments} payments of the last ${days} days.`
    : `Looked at ${payments} payments of the last ${days} days; there are older ones.`;
}
