import { createHash } from "node:crypto";
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openService } from "./service-fixture.ts";

const { client, service } = await openService();
/** A caller from elsewhere, who says that the service is somewhere else. */
const headers = { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" };
const read = async (path: string) => {
  const { status, bytes, headers: answerHeaders } = await client.call("GET", path, { key: null, headers });
  return { status, type: answerHeaders.get("content-type"), bytes, text: Buffer.from(bytes).toString() };
};
const linksIn = (text: string) => [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = ""]) => link);

test("/docs/llms.txt leads programs to each guide as Markdown, in which the stage has its own address", async () => {
  const list = await read("/docs/llms.txt");
  expect([list.status, list.type]).toEqual([200, "text/plain; charset=utf-8"]);
  const guides = linksIn(list.text).filter((link) => link.endsWith(".md"));
  expect(guides.length).toBeGreaterThan(10);
  for (const link of guides) {
    expect(link).toMatch(new RegExp(`^${service.url}/docs/`));
    const path = link.slice(service.url.length);
    const [markdown, page] = [await read(path), await read(path.replace(/\.md$/, ""))];
    expect([path, markdown.status, markdown.type]).toEqual([path, 200, "text/markdown; charset=utf-8"]);
    expect(markdown.text).toMatch(/^# \S/);
    for (const { text } of [markdown, page])
      expect([path, text.match(/http:\/\/127\.0\.0\.1:3000|\{base_url\}|\{api_key\}|evil/)]).toEqual([path, null]);
  }
});

test("the pages offer the client, whose bytes are told by its version, under an address that tells it", async () => {
  const { text } = await read("/docs/first-payment");
  const [address = "", version = ""] = new RegExp(`${service.url}/docs/client-([^ <]+)\\.tgz`).exec(text) ?? [];
  const { status, type, bytes } = await read(address.slice(service.url.length));
  expect([status, type]).toEqual([200, "application/gzip"]);
  const archive = gunzipSync(bytes).toString("latin1");
  expect(archive).toContain(`"version": "${version}"`);
  for (const file of ["package/dist/client.js", "package/dist/client.d.ts", "package/dist/cjs/client.js"])
    expect(archive).toContain(`${file}\0`);
  expect(version).toMatch(/^\d+\.\d+\.\d+-c[\da-f]{10}$/);
  const again = await read(address.slice(service.url.length));
  expect(createHash("sha256").update(again.bytes).digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
});

/** The bytes of an answer as they travel, compressed. */
const sizeOf = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(service.url + path, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
      buffer(answer).then((bytes) => resolve(bytes.length), reject);
    }).on("error", reject);
  });

const FIRST_VIEW_BYTES_MAX = 60_000;

test("the first view of every page takes less than 60 KB, with its script and style", async () => {
  const first = await read("/docs");
  const pages = [...new Set([...first.text.matchAll(/href="(docs\/[\w-]+)"/g)].map(([, page]) => `/${page}`))];
  expect(pages.length).toBeGreaterThan(25);
  const assets = [...first.text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, asset]) => `/${asset}`);
  expect(assets).toHaveLength(2);
  const beside = (await Promise.all(assets.map(sizeOf))).reduce((sum, size) => sum + size, 0);
  const sizes = await Promise.all(
    ["/docs", ...pages].map(async (page) => [page, beside + (await sizeOf(page))] as const),
  );
  expect(sizes.filter(([, size]) => size >= FIRST_VIEW_BYTES_MAX)).toEqual([]);
});

test("a code that pages show has the text of the guide's Markdown, whatever its colours", async () => {
  const [page, { text: markdown }] = await Promise.all([read("/docs/http"), read("/docs/http.md")]);
  const entities = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" } as const;
  const shown = [...page.text.matchAll(/<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs)].map(([, html = ""]) =>
    html
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/&(lt|gt|quot|#x27|amp);/g, (_, name: keyof typeof entities) => entities[name]),
  );
  const written = [...markdown.matchAll(/^```\w+\n([\s\S]*?)\n```/gm)].map(([, code]) => code);
  expect(shown).toEqual(written);
});
