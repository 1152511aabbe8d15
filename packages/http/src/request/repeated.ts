import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from "aws-lambda";

type Headers = Pick<APIGatewayProxyEvent | APIGatewayRequestAuthorizerEvent, "multiValueHeaders">;

/** Every value that was sent of a header, by its lower-case name. */
export const valuesOf = ({ multiValueHeaders }: Headers, name: string): string[] =>
  Object.entries(multiValueHeaders ?? {}).flatMap(([key, values = []]) => (key.toLowerCase() === name ? values : []));
