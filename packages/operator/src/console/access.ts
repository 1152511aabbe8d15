import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Access to the console for one browser: the first with this start's secret. */
export type Access = Readonly<{
  /** The folder of all pages. Its name is a secret as well, so that no other port of this machine is sent the cookie. */
  folder: string;
  /** The path that is good for one visit. */
  entrance: string;
  /** The cookie for whoever comes with the secret for the first time; undefined for all others. */
  enter: (secret: string) => string | undefined;
  isInside: (request: IncomingMessage) => boolean;
}>;

const COOKIE = "console";
const newSecret = (): string => randomBytes(32).toString("base64url");

export function openAccess(): Access {
  const folder = `/${newSecret()}/`;
  const session = newSecret();
  const secret = newSecret();
  let isUsed = false;
  return {
    folder,
    entrance: `${folder}enter/${secret}`,
    enter: (given) => {
      if (isUsed || !isSame(given, secret)) return undefined;
      isUsed = true;
      return `${COOKIE}=${session}; HttpOnly; SameSite=Strict; Path=${folder}`;
    },
    isInside: ({ headers }) => {
      const cookies = (headers.cookie ?? "").split(/; */);
      return cookies.some(
        (cookie) => cookie.startsWith(`${COOKIE}=`) && isSame(cookie.slice(COOKIE.length + 1), session),
      );
    },
  };
}

/** Compares in a time that tells nothing of how far two secrets are equal. */
const isSame = (given: string, secret: string): boolean => timingSafeEqual(digestOf(given), digestOf(secret));
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
