const SECRET_BYTES = 32;

/** A new secret by which a payment can be come back to: 32 random bytes as base64url. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "");
}

/** The secret that an address ends with: browsers send nothing of what follows `#`. */
export const secretIn = (hash: string): string | undefined => /^#([\w-]{32,128})$/.exec(hash)?.[1];
