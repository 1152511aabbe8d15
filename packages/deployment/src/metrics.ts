type Metric = Readonly<{ unit: "Count" | "Seconds"; by: readonly string[] }>;

/**
 * The figures that functions report and CloudWatch keeps, with the dimensions that each is told by. Every combination of
 * their values is a metric that costs, so that a dimension has few values; and none is about a person or a tenant.
 */
export const metrics = {
  /** Payments that a rail has accepted. */
  Submits: { unit: "Count", by: ["rail", "currency"] },
  /** From the submit of a payment to its settlement, which may be of a part. */
  SettleSeconds: { unit: "Seconds", by: ["rail", "currency"] },
  /** Requests that functions refused, by the public code or, where there is none, by the status. */
  Refusals: { unit: "Count", by: ["code"] },
  /** Timers that nobody has sent minutes after they were due. */
  OverdueTimers: { unit: "Count", by: [] },
} as const satisfies Readonly<Record<string, Metric>>;
export type MetricName = keyof typeof metrics;

type Dimensions<Name extends MetricName> = Readonly<Record<(typeof metrics)[Name]["by"][number], string>>;

/** The variable that names the namespace of a deployment's metrics, as Powertools calls it. */
export const METRICS_NAMESPACE = "POWERTOOLS_METRICS_NAMESPACE";

/**
 * The fields by which a line of a log is a metric as well, in CloudWatch's embedded metric format: no call, and no line
 * more. None where there is no namespace, as on this machine.
 */
export function measured<Name extends MetricName>(
  name: Name,
  value: number,
  dimensions: Dimensions<Name>,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const namespace = process.env[METRICS_NAMESPACE];
  if (namespace === undefined) return {};
  const { unit, by } = metrics[name];
  const directive = { Namespace: namespace, Dimensions: [by], Metrics: [{ Name: name, Unit: unit }] };
  return { _aws: { Timestamp: nowMs, CloudWatchMetrics: [directive] }, ...dimensions, [name]: value };
}
