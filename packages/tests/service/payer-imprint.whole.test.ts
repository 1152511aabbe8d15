import { describe, expect, test } from "vitest";
import { noRateLimit, openClient } from "./client.ts";
import { publishLink } from "./links.ts";
import { eventually, openOperatedService } from "./service-fixture.ts";

const settings = {
  LEGAL_NAME: "Payments Pty Ltd",
  LICENCE: "Licence 246801",
  SUPPORT_CONTACT: "help@pay.example",
  PRIVACY_URL: "https://pay.example/privacy",
  COMPLAINTS_URL: "https://pay.example/complaints",
};
const { client, operator, service } = await openOperatedService({ ...noRateLimit, ...settings });

/** The end of a link's page, as text and links. */
async function footerOf(token: string, query = "") {
  const { body } = await client.call<string>("GET", `/pay/plink_${token}${query}`, { key: null });
  const [footer = ""] = /<footer>.*<\/footer>/s.exec(body) ?? [];
  return { text: footer.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "), footer, body };
}

describe("the page of a link", () => {
  test("says who takes the money and where to ask, in the reader's language", async () => {
    const { token } = await publishLink(client);
    const { text, footer } = await footerOf(token);
    expect(text).toContain("Payments on this page are taken by Payments Pty Ltd. Licence 246801");
    expect(text).toContain("help@pay.example");
    expect(footer).toContain('href="mailto:help@pay.example"');
    expect(footer).toContain('href="https://pay.example/privacy"');
    expect(footer).toContain('href="https://pay.example/complaints"');
    expect(text).not.toContain("Terms");
    expect((await footerOf(token, "?lang=de")).text).toContain("nimmt Payments Pty Ltd entgegen");
    expect((await footerOf("x".repeat(32))).text).toContain("Payments Pty Ltd");
  });

  test("says what an operator set for its tenant instead, and the stage's again once that is taken back", async () => {
    await operator.newTenant("2701");
    const other = openClient(service.url, await operator.newKey("imprint", "2701"));
    const { token } = await publishLink(other);
    const set = (...args: string[]) => operator.change("tenants", "set", "2701", ...args);
    const own = { legalName: "Acme Ltd", supportContact: "+61 2 5550 1234", termsUrl: "https://acme.example/terms" };
    const after = await set(
      ...["--legal-name", own.legalName, "--support-contact", own.supportContact, "--terms-url", own.termsUrl],
    );
    expect(after).toMatchObject({ tenantId: "2701", imprint: own });
    const { text, footer, body } = await footerOf(token);
    expect(text).toContain("taken by Acme Ltd.");
    // The licence of the stage is not that of another company.
    expect(text).not.toContain("Licence 246801");
    expect(footer).toContain('href="tel:+61255501234"');
    expect(footer).toContain('href="https://acme.example/terms"');
    expect(footer).toContain('href="https://pay.example/privacy"');
    expect(body).not.toContain("help@pay.example");

    const taken = await set("--legal-name", "", "--support-contact", "", "--terms-url", "");
    expect(taken).not.toHaveProperty("imprint");
    // A page may be ten seconds behind.
    await eventually(async () => expect((await footerOf(token)).text).toContain("taken by Payments Pty Ltd."));
  });
});
