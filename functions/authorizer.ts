import { apiKeysOf, verifyApiKey } from "@intents/http/request/authorize.ts";
import { toCallerContext } from "@intents/http/request/caller.ts";
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { now, table } from "./runtime/environment.ts";

/**
 * API Gateway's REQUEST authorizer. Its answer is cached by the header alone, so that it allows the whole stage and not
 * only the route of the first request (H45), and passes the limits of the key on, to be checked at every request.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const key = await verifyApiKey(table, apiKeysOf(event), now());
  // API Gateway answers 401 to an error with exactly this word.
  if (key === undefined) throw new Error("Unauthorized");
  const [stageArn] = /^[^/]+\/[^/]+/.exec(event.methodArn) ?? [event.methodArn];
  return {
    principalId: key.clientId,
    usageIdentifierKey: key.gatewayKey,
    context: toCallerContext(key),
    policyDocument: {
      Version: "2012-10-17",
      Statement: [{ Action: "execute-api:Invoke", Effect: "Allow", Resource: `${stageArn}/*` }],
    },
  };
}
