/** `waiting` for its next attempt; `failed`: given up, or left out by a change of the endpoint. */
export const deliveryStatuses = ["delivered", "waiting", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
