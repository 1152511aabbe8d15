import { expect, test } from "vitest";
import { failureReason, provesUnsent } from "./send-failure.ts";

const failure = (cause: object) => new TypeError("fetch failed", { cause: Object.assign(new Error("cause"), cause) });

test.each<[object, boolean]>([
  [{ code: "ENOTFOUND", syscall: "getaddrinfo" }, true],
  [{ code: "EAI_AGAIN", syscall: "getaddrinfo" }, true],
  [{ code: "ECONNREFUSED", syscall: "connect" }, true],
  [{ code: "ETIMEDOUT", syscall: "connect" }, true],
  [{ code: "UND_ERR_CONNECT_TIMEOUT" }, true],
  [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, true],
  [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, true],
  [{ code: "ECONNREFUSED", errors: [{ syscall: "connect" }, { syscall: "connect" }] }, true],
  [{ code: "ECONNREFUSED", errors: [{ syscall: "connect" }, { syscall: "read" }] }, false],
  [{ code: "ETIMEDOUT", syscall: "read" }, false],
  [{ code: "EHOSTUNREACH", syscall: "write" }, false],
  [{ code: "ECONNRESET", syscall: "read" }, false],
  [{ code: "UND_ERR_SOCKET" }, false],
  [{ code: "UND_ERR_HEADERS_TIMEOUT" }, false],
  [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, false],
  [{}, false],
])("a failure with the cause %j proves that nothing was sent: %s", (cause, isProof) => {
  expect(provesUnsent(failure(cause))).toBe(isProof);
});

test("an abort proves nothing, and neither does a value that is no error", () => {
  expect(provesUnsent(new DOMException("late", "TimeoutError"))).toBe(false);
  expect(provesUnsent("text")).toBe(false);
  expect(failureReason(new DOMException("late", "TimeoutError"))).toBe("TimeoutError");
});
