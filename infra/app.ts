import { ensureBundles } from "./bundle.ts";
import { findFunctionUses } from "./function-uses.ts";
import { paymentApp } from "./payment-app.ts";

await ensureBundles();
paymentApp(await findFunctionUses()).app.synth();
