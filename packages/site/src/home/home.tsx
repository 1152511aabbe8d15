import { useEffect, useState } from "preact/hooks";
import { Trial } from "./trial.tsx";
import type { HomeView } from "./view.ts";

/** The documentation, beside this page. */
const docs = "docs";

/** The whole page, the same on the server and in the browser. */
export function Home({ view }: Readonly<{ view: HomeView }>) {
  const { stage, apiUrl, payersUrl } = view;
  const [isPayers, setPayers] = useState(false);
  useEffect(() => setPayers(payersUrl !== undefined && new URL(payersUrl).origin === location.origin), []);
  return (
    <>
      <header>
        <p class="brand">
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path d="M7 10V7.5a5 5 0 0 1 10 0V10M5.5 10h13v10h-13z" />
          </svg>
          Payment Intent Service
        </p>
        {stage !== "production" && <p class="stage">{stage === "local" ? "this machine" : stage}</p>}
      </header>
      <main>
        <h1>Cross-border payments around one resource</h1>
        <p class="lead">
          A payment intent is created as a draft, judged by dry-runs as often as you like, and paid by one submit, once.
          Quotes lock its rates, payees receive it, links let others pay it.
        </p>
        {stage !== "production" && (isPayers ? <ElsewhereTrial apiUrl={apiUrl} /> : <Trial view={view} />)}
        <section class="card" aria-labelledby="read">
          <h2 id="read">Read on</h2>
          <ul class="links">
            {view.hasDocs && (
              <>
                <li>
                  <a href={docs}>Guides</a>: from a first payment to every error, with samples that run
                </li>
                <li>
                  <a href={`${docs}/reference`}>Reference</a>: every call, to read and to try
                </li>
              </>
            )}
            <li>
              <a href="v2/openapi.json">OpenAPI document</a>: every call, field and error, for tools
            </li>
          </ul>
        </section>
      </main>
      <footer>
        The API is at <code>{apiUrl}</code>
      </footer>
    </>
  );
}

/** At the address for payers, which passes no keys on. */
const ElsewhereTrial = ({ apiUrl }: Readonly<{ apiUrl: string }>) => (
  <section class="card" aria-labelledby="try">
    <h2 id="try">Try it</h2>
    <p>
      This address is for payers. <a href={`${apiUrl}/`}>At the API’s own</a>, a payment can be made by one button.
    </p>
  </section>
);
