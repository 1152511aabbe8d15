/** The keys of a tenant's webhooks. */
export function webhookKeysOf(tenantId: string) {
  const tenant = `T#${tenantId}`;
  return {
    /** A tenant's webhook endpoints, each beside its progress in the feed: one partition, so that one read finds all. */
    webhook: (id: string) => ({ PK: `${tenant}#WEBHOOK`, SK: id }),
    /** How far an endpoint has come in the feed. */
    webhookProgress: (id: string) => ({ PK: `${tenant}#WEBHOOK`, SK: `${id}#PROGRESS` }),
    /** An endpoint's secrets: the function that puts them cannot read them, and the one that signs cannot put them. */
    webhookSecret: (id: string) => ({ PK: `${tenant}#WEBHOOKSECRET`, SK: id }),
    /** The record of an event at an endpoint, in the order of the feed. */
    delivery: (endpointId: string, place: string) => ({ PK: `${tenant}#DELIVERY#${endpointId}`, SK: place }),
    /** The deliveries to an endpoint that wait for another attempt. */
    waitingDeliveries: (endpointId: string) => `${tenant}#DELIVERY#${endpointId}#WAITING`,
    /** The deliveries to an endpoint that wait or were given up, in the order of the feed. */
    undelivered: (endpointId: string, status: "waiting" | "failed") =>
      `${tenant}#DELIVERY#${endpointId}#UNDELIVERED#${status}`,
  };
}
