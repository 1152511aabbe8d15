/**
 * The languages of the page by tag: their own name, and the locale that numbers, dates and countries are written for
 * where a visitor's browser names no region. Portugal, Taiwan and Hong Kong have no texts of their own.
 */
export const languages = {
  en: { name: "English", locale: "en", dir: "ltr" },
  es: { name: "Español", locale: "es", dir: "ltr" },
  pt: { name: "Português", locale: "pt-BR", dir: "ltr" },
  fr: { name: "Français", locale: "fr", dir: "ltr" },
  de: { name: "Deutsch", locale: "de", dir: "ltr" },
  zh: { name: "中文", locale: "zh-Hans-CN", dir: "ltr" },
  hi: { name: "हिन्दी", locale: "hi-IN", dir: "ltr" },
  ar: { name: "العربية", locale: "ar", dir: "rtl" },
} as const satisfies Record<string, Readonly<{ name: string; locale: string; dir: "ltr" | "rtl" }>>;

export type Language = keyof typeof languages;

/** A visitor's language, its direction, and the whole locale (with the region) that figures and dates are written for. */
export type Speech = Readonly<{ language: Language; dir: "ltr" | "rtl"; locale: string }>;

/** At most so many tags of an Accept-Language header are looked at. */
const TAGS_MAX = 20;

/**
 * The language asked for by name (`?lang=`), else the best one that the browser accepts, else English. The region is
 * that of the first of these tags which has one and is of the language.
 */
export function pickSpeech(asked: string | undefined, acceptLanguage = ""): Speech {
  const accepted = acceptLanguage
    .split(",", TAGS_MAX)
    .map((entry) => {
      const [tag = "", quality] = entry.trim().split(/\s*;\s*q=/);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
  const spoken = [asked ?? "", ...accepted].flatMap((tag) => toSpoken(tag) ?? []);
  const language = spoken[0]?.language ?? "en";
  const region = spoken.find((tag) => tag.language === language && tag.region !== undefined)?.region;
  return { language, dir: languages[language].dir, locale: localeOf(language, region) };
}

/** The parts of a tag that the page goes by; what else it names (a script, a calendar) is the page's own choice. */
function toSpoken(tag: string): Readonly<{ language: Language; region: string | undefined }> | undefined {
  const [, primary = "", region] =
    /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-.*)?$/.exec(tag.toLowerCase()) ?? [];
  return Object.hasOwn(languages, primary) ? { language: primary as Language, region } : undefined;
}

/**
 * The digits and the calendar are named, because a browser's data may choose others than the server's. The calendar is
 * the one that banks go by.
 */
function localeOf(language: Language, region: string | undefined): string {
  const { language: primary, script, region: usual } = new Intl.Locale(languages[language].locale);
  const tag = [primary, script, region?.toUpperCase() ?? usual].filter((part) => part !== undefined).join("-");
  const { numberingSystem } = new Intl.NumberFormat(tag).resolvedOptions();
  return `${tag}-u-ca-gregory-nu-${numberingSystem}`;
}
