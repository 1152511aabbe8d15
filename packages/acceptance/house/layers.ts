import type { Layers } from "./imports.ts";

/**
 * The allowed imports, from top to bottom: a package may import those that its row names, and none above it; within a
 * package, a folder may import those after it. This is the only place that says so, and docs/architecture.md draws it.
 */
export const layers: Layers = {
  "packages/bench": {
    on: "*",
    uses: "*",
  },
  "packages/acceptance": {
    on: "*",
    uses: "*",
  },
  "packages/conformance": {
    on: "*",
    uses: "*",
  },
  "packages/mutants": {
    on: "",
    uses: "vite vitest vitest/ node:",
  },
  "packages/local": {
    on: "*",
    uses: "*",
    floors:
      "dev.ts listen.ts start.mjs start.ts launchers.ts banner.ts service.ts events gateway triggers stores seed.ts functions.ts " +
      "local-settings.ts free-port.ts start-failure.ts",
  },
  infra: {
    on: "contract site client storage domain deployment",
    uses: "aws-cdk-lib aws-cdk-lib/ cdk-nag constructs esbuild fflate node: vite",
  },
  functions: {
    on: "execution http rails storage contract site payer-app domain deployment",
    uses: "@aws-lambda-powertools/ aws-lambda node:",
  },
  "packages/site": {
    on: "client contract payer-app domain",
    uses: "highlight.js/ marked minisearch preact preact/ preact-render-to-string",
    floors: "docs home document",
  },
  "packages/operator": {
    on: "console execution storage domain deployment",
    uses: "@aws-sdk/ @bomb.sh/tab/ cli-table3 commander fflate string-width wrap-ansi node:",
  },
  "packages/console": {
    on: "payer-app domain",
    uses: "esbuild preact preact-render-to-string node:",
    floors:
      "assemble.ts views.tsx books.tsx intent.tsx notice.tsx payments.tsx queue.tsx reconciliation.tsx requests.tsx " +
      "search.tsx todo.tsx payment-grid.tsx chart.tsx page.tsx parts.tsx frame.ts client.ts styles",
  },
  "packages/execution": {
    on: "rails storage domain deployment",
    uses: "node:",
    floors:
      "advance.ts daily.ts search subjects testing unattended asking operations metadata links drafts batches submit settle commissions quotes " +
      "webhooks documents rails change.ts open-run.ts run.ts",
  },
  "packages/http": {
    on: "storage contract domain deployment",
    uses: "@aws-lambda-powertools/ @middy/ @remix-run/multipart-parser aws-lambda qs zod node:",
    floors: "endpoint.ts notices.ts serve.ts told.ts representation.ts limits lists idempotency answers.ts request",
  },
  "packages/rails": {
    on: "domain deployment",
    uses: "@aws-sdk/ zod node:",
    floors: "check open-rails.ts rail-addresses.ts rail-rows.ts http sandbox descriptions.ts statuses.ts",
  },
  "packages/storage": {
    on: "domain",
    uses: "@aws-sdk/ node:",
    floors: "operations webhooks queue parties lists reviews commissions intents audit events table files",
  },
  "packages/contract": {
    on: "domain",
    uses: "zod",
  },
  "packages/contract/src/openapi": {
    on: "contract domain",
    uses: "zod zod-openapi",
  },
  "packages/client": {
    on: "",
    uses: "node:",
    floors:
      "generator client.ts webhooks.ts api waiting.ts sending.ts request.ts answer.ts retries.ts errors.ts lists.ts machine.ts " +
      "uploads.ts route.ts schemas",
  },
  "packages/payer-app": {
    on: "",
    uses: "preact preact/ preact-render-to-string node:crypto",
    floors: "client.tsx server app.tsx status steps flow parts.tsx view.ts i18n.ts api messages",
  },
  "packages/domain": {
    on: "",
    uses: "big.js countries-list",
    floors:
      "failure.ts previews requirements search lists answers webhooks events ledger links commissions standing batches privacy intents quotes rails " +
      "scenarios amounts parties reference external-id.ts metadata.ts fields.ts ids.ts pick.ts changed-at.ts logged-fault.ts once.ts result.ts durations.ts",
  },
  "packages/deployment": {
    on: "",
    uses: "node:",
  },
};
