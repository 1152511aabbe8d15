import { useEffect, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { PublicLink } from "../api/wire.ts";
import { sayUnheard } from "../flow/explanation.ts";
import { amountFacts, amountsOf } from "../flow/payment-amounts.ts";
import { useI18n } from "../i18n.ts";
import { Alert, Facts, Notice } from "../parts.tsx";
import { useAsking } from "./asking.ts";
import { reopenDelayMs } from "./reopening.ts";

type Props = Readonly<{
  link: PublicLink;
  until: string;
  api: Api;
  /** Called with the link whenever it was looked at again. */
  onLink: (link: PublicLink) => void;
}>;

/** A link that another payment keeps. The view waits, and gives way to the steps as soon as the link opens. */
export function HeldView({ link, until, api, onLink }: Props) {
  const i18n = useI18n();
  const { t, moment, list } = i18n;
  const [unheard, setUnheard] = useState<string>();
  // Without a script the time is told in UTC, because the server does not know where the reader is.
  const [zone, setZone] = useState<"UTC" | undefined>("UTC");
  useEffect(() => setZone(undefined), []);
  const delayMs = (end: string, nowMs: number) => reopenDelayMs(Date.parse(end) - nowMs, Math.random());
  const look = async () => {
    const reply = await api.link();
    setUnheard(reply.ok ? undefined : sayUnheard(reply.problem, i18n, Date.now()));
    if (!reply.ok) return delayMs(until, Date.now());
    onLink(reply.value);
    return delayMs(reply.value.held?.until ?? until, reply.answeredAtMs);
  };
  useAsking("", look, delayMs(until, Date.now()));
  return (
    <Notice sign="waiting" title={t("heldTitle")}>
      <p>{t("heldText", { time: moment(new Date(until), zone) })}</p>
      <p class="hint">{t("heldWaiting")}</p>
      {unheard && <Alert>{unheard}</Alert>}
      <Facts
        kind="rows"
        facts={[
          [t("payTo"), list(link.recipients.map(({ name }) => name))],
          [t("reference"), link.reference],
          ...amountFacts(i18n, amountsOf(link, {})).gets,
        ]}
      />
    </Notice>
  );
}
