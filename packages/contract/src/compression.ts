/** The gateways compress bodies of at least so many bytes, for callers who accept it. */
export const COMPRESSION_BYTES_MIN = 1024;

/** Whether an `Accept-Encoding` takes one of some codings: by name or by `*`, and not with a weight of zero (RFC 9110, 12.5.3). */
export function acceptsCoding(header: string, codings: readonly string[]): boolean {
  const weights = new Map(
    header.split(",").map((one) => {
      const [name = "", ...parameters] = one.toLowerCase().split(";");
      const weight = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)/.exec(parameter)?.[1]).find(Boolean);
      return [name.trim(), Number(weight ?? 1)] as const;
    }),
  );
  return codings.some((coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0);
}
