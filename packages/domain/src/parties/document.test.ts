import { describe, expect, test } from "vitest";
import { document, IDENTITY_ID, NOW_MS } from "../../test/intent-fixture.ts";
import { documentTypeOf, whyUnusable } from "./document.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const ours = { intentId: "intent", executionId: "ours" };
const theirs = { intentId: "another", executionId: "theirs" };

describe("the type of an upload", () => {
  test.each([
    ["application/pdf", "%PDF-1.7 and more"],
    ["image/png", "\x89PNG\r\n\x1a\n and more"],
    ["image/jpeg", "\xff\xd8\xff\xe0 and more"],
  ])("is %s by its first bytes", (type, text) => {
    expect(documentTypeOf(bytes(text))).toBe(type);
  });

  test.each(["", "%PDF", " %PDF-1.7", "GIF89a", "<svg>", "MZ", "\xff\xd8"])("is none for %j", (text) => {
    expect(documentTypeOf(bytes(text))).toBeUndefined();
  });
});

describe("a document", () => {
  const usable = document(IDENTITY_ID);

  test("can be used until the millisecond at which it expires", () => {
    expect(whyUnusable(usable, undefined, usable.expiresAtMs - 1)).toBeUndefined();
    expect(whyUnusable(usable, undefined, usable.expiresAtMs)).toBe("has expired");
  });

  test("that an execution has reserved can be used by that execution and no other", () => {
    const reserved = { ...usable, executionId: "ours" };
    expect(whyUnusable(reserved, ours, NOW_MS)).toBeUndefined();
    expect(whyUnusable(reserved, theirs, NOW_MS)).toBe("is reserved by another submit");
    expect(whyUnusable(reserved, undefined, NOW_MS)).toBe("is reserved by another submit");
  });

  test("that was consumed can be used by nobody but the intent that consumed it", () => {
    const consumed = { ...usable, executionId: "ours", consumedBy: "intent" };
    expect(whyUnusable(consumed, theirs, NOW_MS)).toBe("was already used by a submitted payment");
    expect(whyUnusable(consumed, ours, NOW_MS)).toBeUndefined();
  });
});
