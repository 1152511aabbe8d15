import { useEffect, useMemo, useState } from "preact/hooks";
import { openApi } from "./api/api.ts";
import type { PublicLink, Session } from "./api/wire.ts";
import { type Remembered, recall, remember } from "./flow/memory.ts";
import { createI18n, I18nProvider, useI18n } from "./i18n.ts";
import type { Messages } from "./messages/en.ts";
import { languages } from "./messages/languages.ts";
import { Heading, Sign } from "./parts.tsx";
import { checkoutAddress } from "./status/checkout-address.ts";
import { isWebAddress, StatusView } from "./status/status-view.tsx";
import { Flow } from "./steps/flow.tsx";
import type { PageView } from "./view.ts";

export type AppProps = Readonly<{ view: PageView; messages: Messages }>;

/** The whole page; the same on the server and in the browser. */
export function App({ view, messages }: AppProps) {
  const i18n = useMemo(() => createI18n(view, messages, view.minorUnits), []);
  return (
    <I18nProvider value={i18n}>
      <Header view={view} />
      <main>{view.link === undefined ? <Missing /> : <Link view={view} link={view.link} />}</main>
      <footer>{i18n.t("trust")}</footer>
    </I18nProvider>
  );
}

function Header({ view }: Readonly<{ view: PageView }>) {
  const { t } = useI18n();
  const payment = view.paymentId === undefined ? "" : `&payment=${encodeURIComponent(view.paymentId)}`;
  return (
    <header>
      <p class="brand">
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M7 10V7.5a5 5 0 0 1 10 0V10M5.5 10h13v10h-13z" />
        </svg>
        {t("securePayment")}
      </p>
      <details class="languages">
        <summary>
          <span class="hidden">{t("language")}: </span>
          {languages[view.language].name}
        </summary>
        <ul>
          {Object.entries(languages).map(([tag, { name, dir }]) => (
            <li key={tag}>
              <a
                href={`?lang=${tag}${payment}`}
                hreflang={tag}
                lang={tag}
                dir={dir}
                aria-current={tag === view.language ? "true" : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </header>
  );
}

/** A link that exists: its payment if one was started, else, while the link is open, the steps to a payment. */
function Link({ view, link }: Readonly<{ view: PageView; link: PublicLink }>) {
  const api = useMemo(() => openApi(`../v2/public/payment-links/${view.token}`), []);
  const [gone, setGone] = useState<"missing" | "closed">();
  const [paymentId, setPaymentId] = useState(view.paymentId);
  const [session, setSession] = useState<Remembered | "forgotten">();
  useEffect(() => {
    if (view.paymentId !== undefined) setSession(recall(view.paymentId) ?? "forgotten");
  }, []);

  const known = view.payment === undefined ? "unknown" : { status: link.status, ...view.payment };
  const startUrl = `?lang=${view.language}`;
  const onPaying = (started: Session) => {
    const { paymentIntentId, nextAction } = started;
    remember(started);
    history.replaceState(null, "", `${startUrl}&payment=${encodeURIComponent(paymentIntentId)}`);
    setSession(started);
    setPaymentId(paymentIntentId);
    if (nextAction.type === "redirect" && isWebAddress(nextAction.url))
      location.assign(checkoutAddress(nextAction.url, view.language));
  };
  if (gone === "missing") return <Missing />;
  if (paymentId !== undefined)
    return (
      <StatusView
        {...{ link, api, paymentId, session, startUrl }}
        first={view.paymentId === undefined ? undefined : known}
      />
    );
  if (gone === "closed" || link.status === "closed")
    return <Closed recipient={link.recipientName} moved={gone !== undefined} />;
  return <Flow {...{ view, link, api, onPaying }} onGone={setGone} />;
}

function Closed({ recipient, moved }: Readonly<{ recipient: string; moved: boolean }>) {
  const { t } = useI18n();
  return (
    <section class="card centered">
      <Sign kind="closed" />
      <Heading focus={moved}>{t("closedTitle")}</Heading>
      <p>{t("closedText", { recipient })}</p>
    </section>
  );
}

function Missing() {
  const { t } = useI18n();
  return (
    <section class="card centered">
      <Sign kind="bad" />
      <Heading focus={false}>{t("missingTitle")}</Heading>
      <p>{t("missingText")}</p>
    </section>
  );
}
