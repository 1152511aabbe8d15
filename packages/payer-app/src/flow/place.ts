import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ANSWER_MS_MAX } from "../api/api.ts";
import type { PageView } from "../view.ts";
import { checkoutAddress } from "./checkout-address.ts";
import { forget, type Kept, recall, remember } from "./memory.ts";
import { newSecret, secretIn } from "./secret.ts";
import type { Started } from "./starting.ts";

/** The page's subject: the link itself, or a payment by it. */
export type Place =
  | Readonly<{ at: "missing" | "closed" }>
  /** `lost`: a payment was looked for and is not known. */
  | Readonly<{ at: "link"; lost?: true }>
  /** A payment that this browser remembers, and that somebody else may have begun. */
  | Readonly<{ at: "remembered"; secret: string }>
  /**
   * A payment, whose payer this is if there is a secret. Until `unsureUntilMs` it may not be known yet, because it is
   * being started. `cameBack`: the payer came by the return address of a checkout.
   */
  | Readonly<{ at: "payment"; secret?: string; paymentId?: string; unsureUntilMs?: number; cameBack?: boolean }>;
export type PlaceOf<At extends Place["at"]> = Extract<Place, { at: At }>;

/** Where the page is, and how it gets elsewhere; the address and the browser's memory go along. */
export type Visit = ReturnType<typeof useVisit>;

export function useVisit({ token, language, paymentId }: Pick<PageView, "token" | "language" | "paymentId">) {
  const first: Place = paymentId === undefined ? { at: "link" } : { at: "payment", paymentId };
  const [place, setPlace] = useState<Place>(first);
  const startUrl = `?lang=${language}`;
  const address = useRef(startUrl);
  const attempt = useAttempt(token);

  const show = (url: string) => {
    address.current = url;
    history.replaceState(history.state, "", url);
  };
  const urlOf = (secret: string, id = paymentId) =>
    `${startUrl}${id === undefined ? "" : `&payment=${encodeURIComponent(id)}`}#${secret}`;

  const open = (secret: string) => {
    const known = [recall(token, "window"), recall(token, "browser")];
    const kept = known.find((one) => one?.secret === secret) ?? { secret };
    // A return address names the payment, and never its secret.
    const cameBack = kept.cameBack === true || (paymentId !== undefined && secretIn(location.hash) === undefined);
    remember(token, { ...kept, cameBack }, "window");
    show(urlOf(secret));
    setPlace({ at: "payment", secret, unsureUntilMs: (kept.askedAtMs ?? 0) + ANSWER_MS_MAX, cameBack });
  };
  /** Gives up a payment that cannot be shown: the page is about the link again. */
  const leave = (to: Place) => {
    forget(token);
    show(to === first ? location.search : startUrl);
    setPlace(to);
  };

  const begin = (): string => {
    const secret = attempt.begin();
    show(urlOf(secret));
    return secret;
  };
  const giveUp = (): Kept | undefined => {
    show(startUrl);
    return attempt.giveUp();
  };

  /** Goes on with a payment that has begun: to its checkout, if it has one. */
  const start = (secret: string, { paymentIntentId, nextAction }: Started) => {
    open(secret);
    show(urlOf(secret, paymentIntentId));
    const checkout = checkoutAddress(nextAction, language);
    if (checkout) location.assign(checkout);
  };

  // Before anything is painted: the steps never flash up in front of a payment.
  useLayoutEffect(() => {
    const secret = secretIn(location.hash) ?? recall(token, "window")?.secret;
    const kept = recall(token, "browser");
    if (secret) open(secret);
    else if (kept) setPlace({ at: "remembered", secret: kept.secret });
  }, []);
  useEffect(() => {
    const onMove = ({ state }: PopStateEvent) => {
      const entered = secretIn(location.hash);
      const current = place.at === "payment" ? place.secret : undefined;
      // A step of the page leaves a state in the history; an address that the payer enters has none.
      if (state === null && entered !== undefined && entered !== current) open(entered);
      // No way leads back from a payment into the steps to it.
      else if (current !== undefined) show(address.current);
    };
    addEventListener("popstate", onMove);
    return () => removeEventListener("popstate", onMove);
  }, [place]);

  return {
    place,
    startUrl,
    open,
    start,
    leave,
    begin,
    giveUp,
    goTo: setPlace,
    /**
     * Forgets the payment, in this entry of the history too. The page is then loaded anew at `startUrl`: the link may
     * have been freed, or held.
     */
    erase: () => {
      forget(token);
      show(startUrl);
    },
    /** Leaves a payment that is not known any more, or never was. */
    lose: () => leave(paymentId === undefined ? { at: "link", lost: true } : first),
    /** Lets the address name the payment, so that it also leads back without a script. */
    name: (secret: string, id: string) => show(urlOf(secret, id)),
  };
}

/** The attempts to begin a payment, which all take one secret: the service knows the newest payment by it. */
function useAttempt(token: string) {
  const current = useRef<Readonly<{ secret: string; before: Kept | undefined }>>(undefined);
  return {
    /** The secret to begin with. It is kept before anything is asked, so that a lost answer loses nothing. */
    begin: (): string => {
      current.current ??= { secret: newSecret(), before: recall(token, "browser") };
      const kept = { secret: current.current.secret, askedAtMs: Date.now() };
      remember(token, kept, "window");
      remember(token, kept, "browser");
      return kept.secret;
    },
    /** Takes `begin` back, because no payment came of it; returns the payment that the browser remembered before. */
    giveUp: (): Kept | undefined => {
      const before = current.current?.before;
      forget(token);
      if (before) remember(token, before, "browser");
      return before;
    },
  };
}
