/** A test that proves an answer elsewhere: a file, and words of the test. */
type Shown = readonly [file: string, words: string];

/** Declared answers that no test over HTTP gets, and why. */
export const exceptions: readonly Readonly<{ why: string; shownBy: Shown; answers: readonly string[] }>[] = [
  {
    why: "API Gateway and its firewall answer it, before the service",
    shownBy: ["infra/rest-api.test.ts", "say that it was the firewall, and not the key"],
    answers: ["firewall"],
  },
  {
    why: "the gateway answers it for a function that fails or does not end, and the functions do neither",
    shownBy: [
      "packages/local/src/gateway/gateway.test.ts",
      "is 502 when the function throws, 504 when it takes too long",
    ],
    answers: ["bad_gateway", "timeout"],
  },
  {
    why: "only a socket sends it: fetch writes the Host of its address",
    shownBy: ["packages/local/src/gateway/gateway.test.ts", "a Host that others may own"],
    answers: ["misdirected"],
  },
  {
    why: "the contract declares it, and a payee that does not exist is a problem of the body instead",
    shownBy: ["packages/tests/service/rates.test.ts", "names every payee that does not exist"],
    answers: ["POST /v2/quotes not_found"],
  },
];
