import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { mockClient } from "aws-sdk-client-mock";

export const OLGA = "arn:aws:iam::111122223333:user/olga";
export const PETE = "arn:aws:iam::111122223333:user/pete";

/** For tests: an AWS that knows the caller as `olga`, until `become` says otherwise. */
export function mockCaller() {
  const mock = mockClient(STSClient);
  const become = (Arn: string) => mock.on(GetCallerIdentityCommand).resolves({ Arn });
  become(OLGA);
  return { mock, become };
}
