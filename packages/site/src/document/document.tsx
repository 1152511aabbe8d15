import { icon } from "@intents/payer-app/server/page-head.ts";
import { render } from "preact-render-to-string";

/** The names of a page's script and style sheet under `assets/`. */
export type Assets = Readonly<{ script: string; style: string }>;

/**
 * A page of the service as an HTML document around `body`. Its links are relative, because a stage may have a folder of
 * its own in its address: `root` leads to that address.
 */
export const renderDocument = (title: string, { script, style }: Assets, root: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${render(<title>{title}</title>)}
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${root}assets/${style}">
<script type="module" src="${root}assets/${script}"></script>
</head>
${body}
</html>
`;
