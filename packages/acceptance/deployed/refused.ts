import { expect } from "vitest";
import type { Reply } from "../service/client.ts";

/** The error envelope. The gateway's own errors carry a time that MiniStack does not fill in. */
const envelope = (statusCode: number, code?: string) => ({
  statusCode,
  ...(code !== undefined && { code }),
  message: expect.any(String),
  timestamp: expect.any(String),
  details: expect.any(Object),
});

export function expectRefused({ status, body, headers }: Reply<unknown>, statusCode: number, code?: string): void {
  expect(body).toEqual(envelope(statusCode, code));
  expect(status).toBe(statusCode);
  expect(headers.get("content-type")).toBe("application/json");
}
