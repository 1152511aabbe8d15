/** The languages of the page by tag: their own name, and the locale that numbers and dates are written for. */
export const languages = {
  en: { name: "English", locale: "en", dir: "ltr" },
  es: { name: "Español", locale: "es", dir: "ltr" },
  pt: { name: "Português", locale: "pt-BR", dir: "ltr" },
  zh: { name: "中文", locale: "zh-Hans-CN", dir: "ltr" },
  // Digits are Western ones, because payers compare account numbers and references with what their bank shows.
  hi: { name: "हिन्दी", locale: "hi-IN-u-nu-latn", dir: "ltr" },
  ar: { name: "العربية", locale: "ar-u-nu-latn", dir: "rtl" },
} as const satisfies Record<string, Readonly<{ name: string; locale: string; dir: "ltr" | "rtl" }>>;

export type Language = keyof typeof languages;

/** At most so many tags of an Accept-Language header are looked at. */
const TAGS_MAX = 20;

/** The language asked for by name (`?lang=`), else the best one that the browser accepts, else English. */
export function pickLanguage(asked: string | undefined, acceptLanguage = ""): Language {
  const accepted = acceptLanguage
    .split(",", TAGS_MAX)
    .map((entry) => {
      const [tag = "", quality] = entry.trim().split(/\s*;\s*q=/);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
  return [asked ?? "", ...accepted].map(toLanguage).find((language) => language !== undefined) ?? "en";
}

const toLanguage = (tag: string): Language | undefined => {
  const [primary = ""] = tag.toLowerCase().split("-");
  return Object.hasOwn(languages, primary) ? (primary as Language) : undefined;
};
