import { addressOf, type RailAddress } from "@intents/domain/rails/description.ts";
import type { HttpTerms } from "./descriptions.ts";
import { addressIn } from "./http/address.ts";
import { railRows } from "./rail-rows.ts";

/** The settings of rails, by their names in the environment. */
export type NamedRails = Readonly<{
  CONNECTOR: keyof typeof railRows;
  /** The address of each rail behind HTTP, by its name. */
  CONNECTOR_URL: Readonly<Record<string, string>>;
  /** Former addresses of rails. Payments that were sent there are asked about there; new ones are not sent there. */
  CONNECTOR_FORMER_URLS: Readonly<Record<string, readonly string[]>>;
}>;

/** The rails that the settings name, in the order in which they are opened, without opening them. */
export function railAddresses(settings: NamedRails): RailAddress[] {
  const { former, present } = httpPlaces(settings);
  const overHttp = [...former, ...present].map(({ terms, url }) => ({
    name: terms.rail.name,
    address: addressIn(url),
  }));
  return settings.CONNECTOR === "http"
    ? overHttp
    : [...overHttp, ...railRows[settings.CONNECTOR].map(({ rail }) => addressOf(rail))];
}

type Place = Readonly<{ terms: HttpTerms; url: string }>;

/** Where the rails behind HTTP are, and where they were: by their rows and the settings. */
export function httpPlaces({ CONNECTOR, CONNECTOR_URL, CONNECTOR_FORMER_URLS }: NamedRails): {
  former: Place[];
  present: Place[];
} {
  const placesIn = (urls: (name: string) => readonly string[]) =>
    railRows.http.flatMap((terms) => urls(terms.rail.name).map((url) => ({ terms, url })));
  return {
    former: placesIn((name) => CONNECTOR_FORMER_URLS[name] ?? []),
    present: CONNECTOR === "http" ? placesIn((name) => [CONNECTOR_URL[name] ?? []].flat()) : [],
  };
}
