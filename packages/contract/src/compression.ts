/** The gateways compress bodies of at least so many bytes, for callers who accept it. */
export const COMPRESSION_BYTES_MIN = 1024;
