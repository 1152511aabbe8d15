import type { Node } from "constructs";

/** What a deployment may be told on the command line, as `-c <name>=<value>`. */
export type Deployment = Readonly<{
  stage: "sandbox" | "production";
  /** Instances kept for the function that submits and for the one that polls. Off by default: accounts begin with 10. */
  reservedConcurrency: number | undefined;
  /**
   * Where an emulator listens, when the deployment is not to AWS. CloudFront and the web firewall, which emulators lack,
   * are left out then, and the API is known by the emulator's address.
   */
  emulator: string | undefined;
  /** A domain of one's own for what payers open, and its certificate, which CloudFront asks for in us-east-1. */
  payerApp: Readonly<{ url: string; certificateArn: string }> | undefined;
  /** Where the rail was before it moved, with spaces between: payments that it took there are asked about there. */
  connectorFormerUrls: string | undefined;
}>;

const EMULATOR_URL = "https://localhost:4566";

/** Reads the context. Throws on what it does not know, so that a misspelled stage is not deployed as a sandbox. */
export function readDeployment(node: Node): Deployment {
  const context = (name: string): string | undefined => {
    const value: unknown = node.tryGetContext(name);
    return value === undefined ? undefined : String(value);
  };
  const stage = context("stage") ?? "sandbox";
  if (stage !== "sandbox" && stage !== "production") throw new Error("stage must be sandbox or production");
  const reserved = context("reservedConcurrency");
  if (reserved !== undefined && !/^[1-9]\d{0,3}$/.test(reserved))
    throw new Error("reservedConcurrency must be 1 to 9999");
  const emulated = context("emulated") ?? "false";
  if (!/^(true|false|https?:\/\/\S+)$/.test(emulated)) throw new Error("emulated must be true, false or an address");
  const connectorFormerUrls = context("connectorFormerUrls");
  if (connectorFormerUrls !== undefined && !/^https:\/\/[^\s,]+( https:\/\/[^\s,]+)*$/.test(connectorFormerUrls))
    throw new Error("connectorFormerUrls must be https addresses with spaces between");
  return {
    stage,
    connectorFormerUrls,
    reservedConcurrency: reserved === undefined ? undefined : Number(reserved),
    payerApp: readPayerApp(context("payerAppUrl"), context("payerAppCertificate")),
    emulator: emulated === "false" ? undefined : emulated === "true" ? EMULATOR_URL : emulated.replace(/\/$/, ""),
  };
}

function readPayerApp(url = "", certificateArn = ""): Deployment["payerApp"] {
  if (url === "" && certificateArn === "") return undefined;
  if (!/^https:\/\/[a-z\d-]+(\.[a-z\d-]+)+$/.test(url)) throw new Error("payerAppUrl must be https://<domain>");
  if (!/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(certificateArn))
    throw new Error("payerAppCertificate must be the ARN of a certificate in us-east-1");
  return { url, certificateArn };
}
