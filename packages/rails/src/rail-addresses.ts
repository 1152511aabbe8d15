import { addressOf, type RailAddress } from "@intents/domain/rails/description.ts";
import { addressIn } from "./http/address.ts";
import { httpTerms } from "./http/terms.ts";
import type { RailSettings } from "./open-rails.ts";
import { railRows } from "./rail-rows.ts";

/** The rails that the settings name, in the order in which they are opened, without opening them. */
export function railAddresses({
  CONNECTOR,
  CONNECTOR_URL,
  CONNECTOR_FORMER_URLS,
}: Pick<RailSettings, "CONNECTOR" | "CONNECTOR_URL" | "CONNECTOR_FORMER_URLS">): RailAddress[] {
  const overHttp = (url: string): RailAddress => ({ name: httpTerms.name, address: addressIn(url) });
  const former = CONNECTOR_FORMER_URLS.map(overHttp);
  if (CONNECTOR === "sandbox") return [...former, ...railRows.sandbox.map(({ rail }) => addressOf(rail))];
  return CONNECTOR_URL === undefined ? former : [...former, overHttp(CONNECTOR_URL)];
}
