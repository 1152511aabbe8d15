import { namesOf } from "@intents/deployment/names.ts";
import { Refusal } from "./refusal.ts";

/** These two functions have all settings between them: those of the rail and the queue, and of the documents. */
const functions = ["advance-intent", "payment-intents"];

/** The environment of a stage's functions as deployed, so that the operator works on what they work on. */
export async function readStageEnvironment(stage: string): Promise<Record<string, string>> {
  // The client is loaded here, because most commands need none.
  const lambda = await import("@aws-sdk/client-lambda");
  const client = new lambda.LambdaClient({});
  try {
    const found = await Promise.all(
      functions.map((name) =>
        client.send(new lambda.GetFunctionConfigurationCommand({ FunctionName: namesOf(stage).functionOf(name) })),
      ),
    );
    return Object.assign({}, ...found.map(({ Environment }) => Environment?.Variables)) as Record<string, string>;
  } catch (error) {
    if (!(error instanceof lambda.ResourceNotFoundException)) throw error;
    throw new Refusal(`No functions of stage ${stage} are here: is it deployed in this account and region?`);
  }
}
