import type { DocumentType } from "./document.ts";

/** The extensions that a type's files have. The first one is given to a file whose own extension says another type. */
const extensionsOf: Readonly<Record<DocumentType, readonly [string, ...string[]]>> = {
  "application/pdf": ["pdf"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
};

const CODE_POINTS_MAX = 255;

/** Slashes, and the characters that systems with fewer characters take for slashes. */
const SEPARATORS = /[\\/\u2044\u2215\uFE68\uFF0F\uFF3C]/u;
/** Characters that end a line or a quoted header, that are half a character, or that show a name in another order. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}"]/gu;
/** A name with an extension: what follows the last dot, if it has a letter and no space. "No. 5" has none. */
const WITH_EXTENSION = /^(.+)\.([^.\s]*\p{L}[^.\s]*)$/su;

/**
 * The name under which an upload is kept: the last part of the path that was sent, with the extension of its content.
 * A name without an extension stays without.
 */
export function toFileName(sent: string, contentType: DocumentType): string {
  const name = trim(sent.replace(UNFIT, "").split(SEPARATORS).at(-1) ?? "");
  const short = trim(cut(name, CODE_POINTS_MAX));
  const [, stem, extension] = WITH_EXTENSION.exec(name) ?? WITH_EXTENSION.exec(short) ?? [];
  if (stem === undefined || extension === undefined) return short || "document";
  const [usual, ...others] = extensionsOf[contentType];
  const kept = [usual, ...others].includes(extension.toLowerCase()) ? extension : usual;
  return `${cut(stem, CODE_POINTS_MAX - 1 - kept.length)}.${kept}`;
}

/** Hidden files begin with a dot, and Windows drops dots and spaces from the end of a name. */
const trim = (name: string): string => name.replace(/^[\s.]+|[\s.]+$/gu, "");

const cut = (text: string, codePointsMax: number): string => [...text].slice(0, codePointsMax).join("");
