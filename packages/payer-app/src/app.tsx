import { useMemo, useState } from "preact/hooks";
import { openApi } from "./api/api.ts";
import type { PublicLink } from "./api/wire.ts";
import { useVisit } from "./flow/place.ts";
import { createI18n, I18nProvider, useI18n } from "./i18n.ts";
import type { Messages } from "./messages/en.ts";
import { languages } from "./messages/languages.ts";
import { Notice } from "./parts.tsx";
import { HeldView } from "./status/held-view.tsx";
import { PaymentView } from "./status/payment-view.tsx";
import { RememberedView } from "./status/remembered-view.tsx";
import { Flow } from "./steps/flow.tsx";
import type { Imprint, PageView } from "./view.ts";

export type AppProps = Readonly<{ view: PageView; messages: Messages }>;

/** The whole page, as the server renders it. */
export function App({ view, messages }: AppProps) {
  const i18n = createI18n(view, messages, view.minorUnits);
  return (
    <>
      <I18nProvider value={i18n}>
        <Header view={view} />
      </I18nProvider>
      <main>
        <Main {...{ view, messages }} />
      </main>
      <I18nProvider value={i18n}>
        <Footer imprint={view.imprint} />
      </I18nProvider>
    </>
  );
}

/** The part of the page that the script takes over; the same on the server and in the browser. */
export function Main({ view, messages }: AppProps) {
  const i18n = useMemo(() => createI18n(view, messages, view.minorUnits), []);
  return <I18nProvider value={i18n}>{view.link ? <Link view={view} link={view.link} /> : <Missing />}</I18nProvider>;
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

/** The end of every page, also on paper: who takes the money, and where payers ask, read and complain. */
function Footer({ imprint }: Readonly<{ imprint: Imprint }>) {
  const { t } = useI18n();
  const { legalName, licence, supportContact, privacyUrl, termsUrl, complaintsUrl } = imprint;
  const links = [
    ["privacyNotice", privacyUrl],
    ["terms", termsUrl],
    ["complaints", complaintsUrl],
  ] as const;
  return (
    <footer>
      {legalName && (
        <p class="imprint">
          {t("takenBy", { name: legalName })} {licence && <bdi>{licence}</bdi>}
        </p>
      )}
      {[supportContact, privacyUrl, termsUrl, complaintsUrl].some(Boolean) && (
        <ul class="imprint">
          {supportContact && (
            <li>
              {t("contactUs")}: <a href={contactAddress(supportContact)}>{supportContact.replace(/^https:\/\//, "")}</a>
            </li>
          )}
          {links.map(
            ([name, url]) =>
              url && (
                <li key={name}>
                  {/* In a window of its own, so that nothing is lost that the payer has entered here. */}
                  <a href={url} target="_blank" rel="noreferrer">
                    {t(name)}
                  </a>
                </li>
              ),
          )}
        </ul>
      )}
      <p>{t("trust")}</p>
    </footer>
  );
}

/** The address that a contact is a link to. */
function contactAddress(contact: string): string {
  if (contact.startsWith("https:")) return contact;
  return contact.includes("@") ? `mailto:${contact}` : `tel:${contact.replaceAll(" ", "")}`;
}

/** A link that exists: its payment if one was started, else, while the link is open, the steps to a payment. */
function Link({ view, link: first }: Readonly<{ view: PageView; link: PublicLink }>) {
  const api = useMemo(() => openApi(`../v2/public/payment-links/${view.token}`), []);
  const [link, setLink] = useState(first);
  const visit = useVisit(view);
  const { place } = visit;
  switch (place.at) {
    case "missing":
      return <Missing />;
    case "remembered":
      return <RememberedView visit={visit} secret={place.secret} />;
    case "payment":
      return <PaymentView key={place.secret} {...{ view, link, api, visit, place }} />;
    case "closed":
      return <Closed recipient={link.recipientName} moved />;
    case "link":
      if (link.status === "closed") return <Closed recipient={link.recipientName} moved={link !== first} />;
      if (link.held) return <HeldView link={link} until={link.held.until} api={api} onLink={setLink} />;
      return <Flow {...{ view, link, api, visit }} />;
  }
}

function Closed({ recipient, moved }: Readonly<{ recipient: string; moved: boolean }>) {
  const { t } = useI18n();
  return (
    <Notice sign="closed" title={t("closedTitle")} focus={moved}>
      <p>{t("closedText", { recipient })}</p>
    </Notice>
  );
}

function Missing() {
  const { t } = useI18n();
  return (
    <Notice sign="bad" title={t("missingTitle")}>
      <p>{t("missingText")}</p>
    </Notice>
  );
}
