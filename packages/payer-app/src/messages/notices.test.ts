import { expect, test } from "vitest";
import { notices } from "./notices.ts";

test.each(Object.entries(notices))(
  "in %s every notice has a text of its own, which needs no escaping",
  (language, own) => {
    const texts = [notices.en, own].map(({ again, ...rest }) => [again, ...Object.values(rest).flatMap(Object.values)]);
    const [english = [], translated = []] = texts as readonly string[][];
    expect(translated).toHaveLength(english.length);
    expect(translated.filter((text) => text === "" || /[<>&]/.test(text))).toEqual([]);
    expect(translated.filter((text) => language !== "en" && english.includes(text))).toEqual([]);
    expect(own.again).toContain("{again}");
  },
);
