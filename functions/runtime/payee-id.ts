/** The payee id in a path. Ids have one spelling; anything else is NaN, which no payee has. */
export const toPayeeId = (text = ""): number => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN);
