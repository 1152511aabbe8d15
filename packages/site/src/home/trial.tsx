import { useEffect, useRef, useState } from "preact/hooks";
import { type Call, type Exchange, openCall, Refused } from "./calling.ts";
import { Exchanges } from "./exchanges.tsx";
import { pay, publishLink } from "./paying.ts";
import { Rail, type RailPayment } from "./rail.tsx";
import type { HomeView } from "./view.ts";

type Outcome = Readonly<{ text: string; href?: string; failed?: true }>;

const RAIL_PAYMENTS_MAX = 5;

/** A payment and a link to try, with every request that they take, and what the rails hold then. */
export function Trial({ view }: Readonly<{ view: HomeView }>) {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [outcome, setOutcome] = useState<Outcome>();
  const [payments, setPayments] = useState<readonly RailPayment[]>();
  const [busy, setBusy] = useState(false);
  const key = useRef<HTMLInputElement>(null);

  const callBy = (report: (exchange: Exchange) => void): Call => openCall(key.current?.value ?? "", report);
  const look = async () => {
    const path = `/sandbox/payments?limit=${RAIL_PAYMENTS_MAX}`;
    const call = callBy(() => undefined);
    const held = await call<{ payments: readonly RailPayment[] }>({ title: "", path }).catch(() => undefined);
    setPayments(held?.payments);
  };
  const run = async (work: (call: Call, unique: string) => Promise<Outcome>) => {
    setBusy(true);
    setExchanges([]);
    setOutcome({ text: "Asking…" });
    const call = callBy((exchange) => setExchanges((known) => [...known, exchange]));
    try {
      setOutcome(await work(call, Date.now().toString(36)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setOutcome({ text: error.message, failed: true });
    } finally {
      setBusy(false);
      await look();
    }
  };
  const makePayment = () => run(async (call, unique) => ({ text: `The payment is ${await pay(call, unique)}.` }));
  const openLink = () =>
    run(async (call, unique) => {
      const href = await publishLink(call, unique);
      window.open(href, "_blank", "noopener");
      return { text: "The link is published: whoever has it can pay.", href };
    });
  useEffect(() => {
    if (view.demoKeys.length > 0) void look();
  }, []);

  return (
    <>
      <section class="card" aria-labelledby="try">
        <h2 id="try">Try it</h2>
        <form
          class="step"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void makePayment();
          }}
        >
          <div class="field">
            <label for="key">API key</label>
            <p id="key-hint" class="hint">
              {view.demoKeys.length > 0 ? <DemoKeys keys={view.demoKeys} /> : "Yours; the page keeps it nowhere."}
            </p>
            <input
              id="key"
              ref={key}
              type="password"
              aria-describedby="key-hint"
              defaultValue={view.demoKeys[0] ?? ""}
              required
              autocomplete="off"
              spellcheck={false}
            />
          </div>
          <p class="actions">
            <button type="submit" aria-disabled={busy}>
              Make a payment
            </button>
            <button type="button" class="quiet" aria-disabled={busy} onClick={() => !busy && void openLink()}>
              Make a payment link and open it
            </button>
          </p>
        </form>
        <p class={outcome?.failed ? "alert" : "notice"} role="status">
          {outcome && (
            <>
              {outcome.text} {outcome.href && <a href={outcome.href}>Open its page</a>}
            </>
          )}
        </p>
        {exchanges.length > 0 && <Exchanges exchanges={exchanges} />}
      </section>
      {payments && (
        <section class="card" aria-labelledby="rail">
          <h2 id="rail">What the simulated rails hold</h2>
          <Rail payments={payments} />
          <p>
            <button type="button" class="link" onClick={() => void look()}>
              Look again
            </button>
          </p>
        </section>
      )}
    </>
  );
}

const DemoKeys = ({ keys }: Readonly<{ keys: readonly string[] }>) => (
  <span class="keys">
    {keys.map((key) => (
      <code key={key}>{key}</code>
    ))}{" "}
    – known to everybody, and good on this machine only.
  </span>
);
