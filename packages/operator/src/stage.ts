import { type Named, namesOf } from "@intents/deployment/names.ts";
import { Refusal } from "./refusal.ts";

/** The AWS identity of the command's credentials; AWS tells it without a permission. */
export async function readCaller(): Promise<string> {
  const sts = await import("@aws-sdk/client-sts");
  const { Arn } = await new sts.STSClient({}).send(new sts.GetCallerIdentityCommand({}));
  if (Arn === undefined) throw new Error("AWS told no identity");
  return Arn;
}

/** The environment of a stage's functions as deployed, so that the operator works on what they work on. */
export async function readStageEnvironment(deployed: Named): Promise<Record<string, string>> {
  // The client is loaded here, because most commands need none.
  const lambda = await import("@aws-sdk/client-lambda");
  const client = new lambda.LambdaClient({});
  try {
    const found = await Promise.all(
      namesOf(deployed).settingsFunctions.map((FunctionName) =>
        client.send(new lambda.GetFunctionConfigurationCommand({ FunctionName })),
      ),
    );
    return Object.assign({}, ...found.map(({ Environment }) => Environment?.Variables)) as Record<string, string>;
  } catch (error) {
    if (!(error instanceof lambda.ResourceNotFoundException)) throw error;
    throw new Refusal(
      `No functions of ${describeStage(deployed)} are here: is it deployed in this account and region?`,
      "unreachable",
    );
  }
}

/** A deployment in the words of a refusal. */
export const describeStage = ({ stage, prefix }: Named): string =>
  prefix === undefined ? `stage ${stage}` : `stage ${stage} with prefix ${prefix}`;
