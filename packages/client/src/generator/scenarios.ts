/** A rule of the service, as far as it describes requests. */
export type Rule = Readonly<{
  useCase: string;
  deliveryMode: string;
  amountMode: string;
  payerRoles: readonly string[];
}>;

/** The type of the scenarios that the service executes, and that of the bodies which have to be one of them. */
export const SCENARIO = "PaymentScenario";
export const hasScenario = (type: string): boolean => type === "PaymentIntentInput";

const union = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(" | ");

/** A union of all scenarios: rules that differ in one field alone are one member of it. */
export function writeScenarios(rules: readonly Rule[]): string {
  const byPayers = Map.groupBy(rules, ({ deliveryMode, amountMode, payerRoles }) =>
    [`deliveryMode: "${deliveryMode}"`, `amountMode: "${amountMode}"`, `payer: { role: ${union(payerRoles)} }`].join(
      "; ",
    ),
  );
  const members = [...byPayers].map(
    ([rest, same]) => `  | {\n      useCase: ${union(same.map(({ useCase }) => useCase))};\n      ${rest};\n    }\n`,
  );
  return `/** The scenarios that the service executes. It calls every other combination \`blocked\`. */\nexport type ${SCENARIO} =\n${members.join("").trimEnd()};\n`;
}
