import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentTypes } from "./document.ts";
import { toFileName } from "./file-name.ts";

describe("the name of an upload", () => {
  test.each([
    ["passport.pdf", "passport.pdf"],
    ["Reisepaß 2026.PDF", "Reisepaß 2026.PDF"],
    ["scans/passport.pdf", "passport.pdf"],
    ["C:\\scans\\passport.pdf", "passport.pdf"],
    ["scans／..＼passport.pdf", "passport.pdf"],
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\u001f\u2028c.pdf", "abc.pdf"],
    ['a"; filename="b.pdf', "a; filename=b.pdf"],
    ["passport\u202Efdp.exe", "passportfdp.pdf"],
    ["\u2066passport\u2069.pdf", "passport.pdf"],
    ["passport.exe", "passport.pdf"],
    ["passport.pdf.html", "passport.pdf.pdf"],
    ["passport.exe. ", "passport.pdf"],
    ["passport", "passport"],
    ["Invoice No. 5", "Invoice No. 5"],
    ["report 2026.10", "report 2026.10"],
    [".htaccess", "htaccess"],
    ["\ud83d", "document"],
    ["..", "document"],
    ["/", "document"],
    ["", "document"],
  ])("%j of a PDF is kept as %j", (sent, kept) => {
    expect(toFileName(sent, "application/pdf")).toBe(kept);
  });

  test("keeps both extensions of a JPEG, and of other files only what their content says", () => {
    expect(["a.jpg", "a.JPEG", "a.png"].map((name) => toFileName(name, "image/jpeg"))).toEqual([
      "a.jpg",
      "a.JPEG",
      "a.jpg",
    ]);
    expect(toFileName("a.jpg", "image/png")).toBe("a.png");
  });

  test("is cut between characters, and keeps its extension", () => {
    const emoji = "🏫";
    expect(toFileName(`${"x".repeat(254)}${emoji}`, "application/pdf")).toBe(`${"x".repeat(254)}${emoji}`);
    expect(toFileName(`${emoji.repeat(300)}.pdf`, "application/pdf")).toBe(`${emoji.repeat(251)}.pdf`);
    expect(toFileName(`${"x".repeat(250)}.exe b`, "application/pdf")).toBe(`${"x".repeat(250)}.pdf`);
  });

  test("is harmless, short enough, and kept as it is when it is sent again", () => {
    const odd = ["/", "\\", ".", " ", '"', "\0", "\u202E", "\ud83d", "🏫", "x".repeat(130), "exe", "pdf"];
    const sent = fc.string({ unit: fc.constantFrom(...odd), maxLength: 12 });
    fc.assert(
      fc.property(sent, fc.constantFrom(...documentTypes), (name, contentType) => {
        const kept = toFileName(name, contentType);
        expect(kept).toMatch(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}"\\/]+$/u);
        expect([...kept].length).toBeLessThanOrEqual(255);
        expect(toFileName(kept, contentType)).toBe(kept);
        const extension = /\.([^.\s]*\p{L}[^.\s]*)$/u.exec(kept)?.[1]?.toLowerCase().replace("jpeg", "jpg") ?? "none";
        expect(["none", { "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png" }[contentType]]).toContain(
          extension,
        );
      }),
      { numRuns: 500 },
    );
  });
});
