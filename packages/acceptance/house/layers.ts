import type { Layers } from "./imports.ts";

/**
 * The allowed imports, from top to bottom: a package may import those that its row names, and none above it; within a
 * package, a folder may import those after it. This is the only place that says so, and docs/architecture.md draws it.
 */
export const layers: Layers = {
  "packages/bench": {
    on: "*",
  },
  "packages/acceptance": {
    on: "*",
  },
  "packages/conformance": {
    on: "*",
  },
  "packages/tests/mutants": {
    on: "*",
  },
  "packages/local": {
    on: "*",
    floors:
      "dev.ts listen.ts start.mjs start.ts launchers.ts banner.ts service.ts events gateway triggers stores seed.ts functions.ts " +
      "local-settings.ts free-port.ts start-failure.ts",
  },
  infra: {
    on: "contract site client storage domain deployment",
  },
  functions: {
    on: "execution http rails storage contract site payer-app domain deployment",
  },
  "packages/site": {
    on: "client contract payer-app domain",
    floors: "docs home document",
  },
  "packages/operator": {
    on: "console execution storage domain deployment",
  },
  "packages/console": {
    on: "payer-app domain",
    floors:
      "assemble.ts views.tsx books.tsx intent.tsx notice.tsx payments.tsx queue.tsx reconciliation.tsx requests.tsx " +
      "search.tsx todo.tsx payment-grid.tsx chart.tsx page.tsx parts.tsx frame.ts client.ts styles",
  },
  "packages/execution": {
    on: "rails storage domain deployment",
    floors:
      "advance.ts daily.ts search subjects testing unattended asking operations metadata payer-sessions drafts batches submit settle links commissions " +
      "quotes webhooks documents rails change.ts open-run.ts run.ts",
  },
  "packages/http": {
    on: "storage contract domain deployment",
    floors: "endpoint.ts notices.ts serve.ts told.ts representation.ts limits lists idempotency answers.ts request",
  },
  "packages/rails": {
    on: "domain deployment",
    floors: "check open-rails.ts rail-addresses.ts rail-rows.ts http sandbox descriptions.ts statuses.ts",
  },
  "packages/storage": {
    on: "domain",
    floors: "operations webhooks queue parties lists reviews commissions links intents audit events table files",
  },
  "packages/contract": {
    on: "domain",
  },
  "packages/client": {
    on: "",
    floors:
      "generator client.ts webhooks.ts api waiting.ts sending.ts request.ts answer.ts retries.ts errors.ts lists.ts machine.ts " +
      "uploads.ts route.ts schemas",
  },
  "packages/payer-app": {
    on: "",
    floors: "client.tsx server app.tsx status steps flow parts.tsx view.ts i18n.ts api messages",
  },
  "packages/domain": {
    on: "",
    floors:
      "failure.ts previews requirements search lists answers webhooks events ledger links commissions standing batches privacy intents quotes rails " +
      "scenarios amounts parties reference external-id.ts metadata.ts fields.ts ids.ts pick.ts changed-at.ts logged-fault.ts once.ts result.ts durations.ts",
  },
  "packages/deployment": {
    on: "",
  },
};
