import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { RandomBytes } from "@intents/domain/ids.ts";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { openHttpRail } from "./http/client.ts";
import { openSecrets } from "./http/secrets.ts";
import { railRows } from "./rail-rows.ts";
import { openSandboxRail, type SandboxRail } from "./sandbox/sandbox.ts";

/** The settings that say which rails there are, under the names that they have in the environment. */
export type RailSettings = Readonly<{
  CONNECTOR: keyof typeof railRows;
  CONNECTOR_URL: string | undefined;
  CONNECTOR_SECRET: string | undefined;
  /** Former addresses of rails. Payments that were sent there are asked about there; new ones are not sent there. */
  CONNECTOR_FORMER_URLS: readonly string[];
  RAIL_TABLE_NAME: string;
  BASE_URL: string;
  SANDBOX_SETTLE_SECONDS: number;
  SANDBOX_DEDUP_SECONDS: number;
}>;

type Means = Readonly<{ db: DynamoDBDocumentClient; now: () => number; random: RandomBytes }>;

export type OpenRails = Readonly<{
  /** The rails in the order in which pickRail tries them. */
  rails: readonly Rail[];
  /** Those of them that are simulated. */
  sandboxes: readonly SandboxRail[];
}>;

/** Opens all rails that the settings name. Throws when a setting that they need is missing. */
export function openRails(settings: RailSettings, means: Means): OpenRails {
  const former = settings.CONNECTOR_FORMER_URLS.map((url) => openHttp({ ...settings, CONNECTOR_URL: url }, means, []));
  const { rails, sandboxes } = openers[settings.CONNECTOR](settings, means);
  return { rails: [...former, ...rails], sandboxes };
}

const openers: Readonly<Record<RailSettings["CONNECTOR"], typeof openRails>> = {
  sandbox: (settings, { db, now, random }) => {
    const options = {
      ...{ db, now, random },
      tableName: settings.RAIL_TABLE_NAME,
      baseUrl: settings.BASE_URL,
      settleSeconds: settings.SANDBOX_SETTLE_SECONDS,
      dedupSeconds: settings.SANDBOX_DEDUP_SECONDS,
    };
    const sandboxes = railRows.sandbox.map((terms) => openSandboxRail(options, terms));
    return { rails: sandboxes.map(({ port: rail }) => rail), sandboxes };
  },
  http: (settings, means) => ({
    rails: railRows.http.map(({ rail: { corridors } }) => openHttp(settings, means, corridors)),
    sandboxes: [],
  }),
};

function openHttp(
  { CONNECTOR_URL: url, CONNECTOR_SECRET: secret }: RailSettings,
  { now, random }: Means,
  corridors: Rail["rail"]["corridors"],
): Rail {
  if (url === undefined || secret === undefined) {
    throw new Error("A rail behind HTTP needs CONNECTOR_SECRET and, with CONNECTOR=http, CONNECTOR_URL");
  }
  return openHttpRail({ url, secrets: openSecrets(secret, url, now), corridors, now, random });
}
