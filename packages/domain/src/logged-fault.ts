/** All that a log tells of a fault, since an error of a store may carry whole items. */
export type LoggedFault = Readonly<{ name: string; message: string; stack: string }>;

const MESSAGE_MAX = 1_000;

/** Parts of a message from requests or settings, and their replacements in the log. */
const scrubbed: readonly (readonly [RegExp, string])[] = [
  [/[^\s"'<>(),;]+@[^\s"'<>(),;]+/g, "<email>"],
  // V8 quotes the text that it could not parse.
  [/(?<=Unexpected .*?)(?:"|\.\.\.).*(?= is not valid JSON)/gs, "<text>"],
  // Base64, whose strokes divide a secret into short parts. Paths of ours have no capitals.
  [
    /(?<![A-Za-z\d+/])(?=[A-Za-z\d+]*\/|[A-Za-z\d/]*\+)(?=[a-z\d+/]*[A-Z])(?=[A-Z\d+/]*[a-z])(?=[A-Za-z+/]*\d)[A-Za-z\d+/]{20,}={0,2}/g,
    "<token>",
  ],
  // Secrets and tokens are longer than words; ids of 24 hexadecimal digits and UUIDs stay, because they tell what failed.
  [
    /(?<![\w-])(?![0-9a-f]{24}\b|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}/g,
    "<token>",
  ],
  // Numbers of phones, with the prefix of a country or an area, which may stand in brackets.
  [/(?<![\w.-])(?:\(\+?\d{1,4}\)[ -]?\d(?:[ -]?\d){5,}|(?:\+|00)\d(?:[ ()-]{0,2}\d){6,})(?![\w-])/g, "<number>"],
  // Numbers of accounts, cards, phones and documents.
  [/(?<![\w.-])\+?\d(?:[ -]?\d){10,}(?![\w-])/g, "<number>"],
];

/** A fault as logs may tell it: name, message and stack, without secrets and personal data. */
export function toLoggedFault(fault: unknown): LoggedFault {
  const { name, message, stack = "" } = fault instanceof Error ? fault : new Error(String(fault));
  const shortened = scrubbed.reduce(
    (text, [pattern, instead]) => text.replace(pattern, instead),
    message.slice(0, MESSAGE_MAX),
  );
  // A stack opens with the message, which may itself look like a stack.
  const frames = stack.slice(stack.indexOf(message) + message.length).match(/^ +at .+$/gm) ?? [];
  return { name, message: shortened, stack: frames.join("\n") };
}
