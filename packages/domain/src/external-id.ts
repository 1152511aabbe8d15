/** The form of a caller's own id. No e-mail address fits, and it needs no quotes in a shell or a table. */
export const EXTERNAL_ID = /^[A-Za-z0-9._:/#-]{1,100}$/;

export const isExternalId = (text: string): boolean => EXTERNAL_ID.test(text);
