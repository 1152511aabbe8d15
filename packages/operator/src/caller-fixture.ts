import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { mockClient } from "aws-sdk-client-mock";

export const OLGA = "arn:aws:sts::111122223333:assumed-role/Operators/olga";
export const PETE = "arn:aws:sts::111122223333:assumed-role/Operators/pete";

/** For tests: an AWS that knows the caller as `olga`, until `become` says otherwise. */
export function mockCaller() {
  const mock = mockClient(STSClient);
  const become = (Arn: string) => mock.on(GetCallerIdentityCommand).resolves({ Arn });
  become(OLGA);
  return { mock, become };
}
