/** The header in which a payer's browser sends the secret of a payment, and the form of a secret. */
export const PAYER_SECRET_HEADER = "X-Payer-Secret";
export const PAYER_SECRET = /^[A-Za-z0-9_-]{32,128}$/;
