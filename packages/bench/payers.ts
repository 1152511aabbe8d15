import { once } from "node:events";
import { Agent, request } from "node:http";
import { type Client, openClient } from "@intents/acceptance/service/client.ts";
import { publishLink } from "@intents/acceptance/service/links.ts";
import { median, type Row, toRow } from "./figures.ts";
import { interleave, KEY, type Plan } from "./plan.ts";
import { startService } from "./processes.ts";

/** The requests of a round: fewer than a payer may send to one link in a minute. Every round has a link of its own. */
const ASKED_PER_ROUND = 30;

type Ask = Readonly<{ path: string; body?: object; headers?: Readonly<Record<string, string>> }>;

/** The time that payers wait for a first byte: a quote against a tenant's, and the page against the link's details. */
export async function measurePayers({ dist, rounds }: Plan): Promise<Row[]> {
  const service = await startService(dist);
  const client = openClient(service.url);
  const agent = new Agent({ keepAlive: true });
  const timed = async (toAsk: (token: string) => Ask): Promise<number> => {
    const ask = toAsk(await newToken(client));
    const times: number[] = [];
    for (let asked = 0; asked < ASKED_PER_ROUND; asked++) times.push(await firstByteMs(service.url, ask, agent));
    return median(times);
  };
  const publicPath = (token: string) => `/v2/public/payment-links/${token}`;
  const quoted = { payouts: [{ payeeId: 5001, amount: 99 }], countryCode: "BR", paymentType: "provider" };
  const { linkQuote, tenantQuote, page, details } = await interleave(rounds, {
    linkQuote: () => timed((token) => ({ path: `${publicPath(token)}/quote`, body: { payerCountryCode: "BR" } })),
    tenantQuote: () => timed(() => ({ path: "/v2/quotes", body: quoted, headers: { "X-API-Key": KEY } })),
    page: () => timed((token) => ({ path: `/pay/plink_${token}` })),
    details: () => timed((token) => ({ path: publicPath(token) })),
  });
  agent.destroy();
  await service.stop();
  return [
    toRow({
      ...{ name: "a payer's quote, against a tenant's", unit: "ms", ours: linkQuote, baseline: tenantQuote },
      goal: { atMost: 2 },
    }),
    toRow({
      ...{
        name: "first byte of the payer page, against the link's details",
        unit: "ms",
        ours: page,
        baseline: details,
      },
      goal: { atMost: 2 },
    }),
  ];
}

const newToken = async (client: Client): Promise<string> => (await publishLink(client)).token;

async function firstByteMs(url: string, { path, body, headers = {} }: Ask, agent: Agent): Promise<number> {
  const startMs = performance.now();
  const method = body === undefined ? "GET" : "POST";
  const asking = request(url + path, { agent, method, headers: { "Content-Type": "application/json", ...headers } });
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(asking, "response");
  const tookMs = performance.now() - startMs;
  if (response.statusCode >= 300) throw new Error(`${method} ${path} answered ${response.statusCode}`);
  response.resume();
  await once(response, "end");
  return tookMs;
}
