import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { RandomBytes } from "@intents/domain/ids.ts";
import type { Rail } from "@intents/domain/rails/rail.ts";
import type { HttpTerms } from "./descriptions.ts";
import { openHttpRail } from "./http/client.ts";
import { openSecrets } from "./http/secrets.ts";
import { httpPlaces, type NamedRails } from "./rail-addresses.ts";
import { railRows } from "./rail-rows.ts";
import { openSandboxRail, type SandboxRail } from "./sandbox/sandbox.ts";

/** The settings by which rails are opened. `CONNECTOR_SECRET` has the place of each rail's secret, by its name. */
export type RailSettings = NamedRails &
  Readonly<{
    CONNECTOR_SECRET: Readonly<Record<string, string>>;
    RAIL_TABLE_NAME: string;
    BASE_URL: string;
    SANDBOX_SETTLE_SECONDS: number;
    SANDBOX_DEDUP_SECONDS: number;
  }>;

type Means = Readonly<{ db: DynamoDBDocumentClient; now: () => number; random: RandomBytes }>;

export type OpenRails = Readonly<{
  /** The rails in the order in which pickRail tries them. */
  rails: readonly Rail[];
  /** The simulated rails among them. */
  sandboxes: readonly SandboxRail[];
}>;

/** Opens all rails that the settings name. Throws when a setting that they need is missing. */
export function openRails(settings: RailSettings, means: Means): OpenRails {
  const former = httpPlaces(settings).former.map(({ terms, url }) =>
    openHttp(settings, means, { ...terms, rail: { ...terms.rail, corridors: [] } }, url),
  );
  const { rails, sandboxes } = openers[settings.CONNECTOR](settings, means);
  return { rails: [...former, ...rails], sandboxes };
}

const openers: Readonly<Record<RailSettings["CONNECTOR"], typeof openRails>> = {
  sandbox: (settings, { db, now, random }) => {
    const options = {
      db,
      now,
      random,
      tableName: settings.RAIL_TABLE_NAME,
      baseUrl: settings.BASE_URL,
      settleSeconds: settings.SANDBOX_SETTLE_SECONDS,
      dedupSeconds: settings.SANDBOX_DEDUP_SECONDS,
    };
    const sandboxes = railRows.sandbox.map((terms) => openSandboxRail(options, terms));
    return { rails: sandboxes.map(({ port: rail }) => rail), sandboxes };
  },
  http: (settings, means) => {
    const { present } = httpPlaces(settings);
    // A rail without an address would leave its corridors to the next one, which quotes do not expect.
    const lost = railRows.http.find(({ rail: { name } }) => settings.CONNECTOR_URL[name] === undefined);
    if (lost !== undefined) throw new Error(`The rail ${lost.rail.name} needs CONNECTOR_URL with CONNECTOR=http`);
    return { rails: present.map(({ terms, url }) => openHttp(settings, means, terms, url)), sandboxes: [] };
  },
};

function openHttp({ CONNECTOR_SECRET }: RailSettings, { now, random }: Means, terms: HttpTerms, url: string): Rail {
  const { name } = terms.rail;
  const secret = CONNECTOR_SECRET[name];
  if (secret === undefined) throw new Error(`The rail ${name} needs CONNECTOR_SECRET`);
  return openHttpRail({ url, secrets: openSecrets(secret, url, now), terms, now, random });
}
