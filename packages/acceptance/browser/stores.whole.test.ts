import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runningFile } from "@intents/deployment/running-file.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openService } from "../service/service-fixture.ts";
import { startBrowser } from "./browser.ts";

// A foreign web page's attempts on the stores of a developer's machine, once it has found their ports.

const site = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<title>evil</title>"));
const found = inject("chromium");
if ("missing" in found) test("browser tier: a page of another site", ({ skip }) => skip(found.missing));
else describe("a page of another site", () => describePage(found.executablePath));

function describePage(executablePath: string): void {
  let browser: Browser;
  let page: Page;
  let told: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const [{ service }, started] = await Promise.all([openService(), startBrowser(executablePath)]);
    told = JSON.parse(readFileSync(runningFile(new URL(service.url).port), "utf8"));
    browser = started;
    page = await browser.newPage();
    await new Promise<void>((resolve) => {
      site.listen(0, "127.0.0.1", resolve);
    });
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser.close();
    site.close();
  });

  const addressOf = (store: string) => new URL("/", told[`AWS_ENDPOINT_URL_${store}`]).href;

  test.each(["DYNAMODB", "S3", "SQS"])("reads nothing of %s of start, not even by its secret", async (store) => {
    const asked = { address: addressOf(store), token: told["AWS_SESSION_TOKEN"] ?? "" };
    const heard = await page.evaluate(async ({ address, token }) => {
      const secret = { "X-Amz-Target": "DynamoDB_20120810.ListTables", "X-Amz-Security-Token": token };
      const ask = (init: RequestInit) =>
        fetch(address, init).then(
          ({ type, status }) => `${type} ${status}`,
          () => "refused",
        );
      return [
        await ask({ method: "POST", body: "{}" }),
        await ask({ method: "POST", body: "{}", headers: secret }),
        await ask({ method: "GET", headers: { "X-Amz-Security-Token": token } }),
        await ask({ method: "POST", body: "{}", mode: "no-cors" }),
      ];
    }, asked);
    // An opaque answer tells a page nothing; what was asked for by it lacked the secret.
    expect(heard).toEqual(["refused", "refused", "refused", "opaque 0"]);
  });

  test.each(["DYNAMODB", "S3", "SQS"])("is shown nothing of %s where it leads its visitor there", async (store) => {
    const visited = await browser.newPage();
    const statuses: number[] = [];
    visited.on("response", (answer) => statuses.push(answer.status()));
    await expect(visited.goto(addressOf(store))).rejects.toThrow("ERR_HTTP_RESPONSE_CODE_FAILURE");
    expect(statuses).toEqual([403]);
    await visited.close();
  });
}
