import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import plaintext from "highlight.js/lib/languages/plaintext";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";

// Colours are put in when pages are made: no page loads a script for them.
for (const [name, grammar] of Object.entries({ bash, json, plaintext, python, typescript }))
  highlighter.registerLanguage(name, grammar);
highlighter.configure({ classPrefix: "c-" });

/** The languages of code blocks in Markdown: the grammar that colours each, and its name for readers. */
const languages = {
  sh: ["bash", "Shell"],
  ts: ["typescript", "TypeScript"],
  js: ["typescript", "JavaScript"],
  python: ["python", "Python"],
  json: ["json", "JSON"],
  "": ["plaintext", "Text"],
} as const;
export type Language = keyof typeof languages;

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

/** Code as HTML, each part of it with the class of its kind. Its text is the code, character by character. */
const coloured = (code: string, language: Language): string =>
  highlighter.highlight(code, { language: languages[language][0] }).value;

/** Code as a block, which can be scrolled by keyboard, too. */
export const codeBlock = (code: string, language: Language): string =>
  `<pre tabindex="0"><code>${coloured(code, language)}</code></pre>`;

/** A box of code as HTML: its title, to which the page's script adds a button that copies, and the code. */
export const codeBox = (code: string, language: Language, title: string = languages[language][1]): string =>
  `<figure class="code"><figcaption>${title}</figcaption>${codeBlock(code, language)}</figure>`;
