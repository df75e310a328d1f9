/** The polynomial of Castagnoli, with its bits reversed. Source: RFC 3720, section 12.1. */
const POLYNOMIAL = 0x82f63b78;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** Computes the CRC32C of bytes that come in pieces. */
export class Crc32c {
  #state = 0xffffffff;

  add(bytes: Uint8Array): void {
    let state = this.#state;
    for (const byte of bytes) state = (TABLE[(state ^ byte) & 0xff] ?? 0) ^ (state >>> 8);
    this.#state = state;
  }

  /** Base64 of the big-endian bytes, as Cloud Storage writes it. */
  get base64(): string {
    const value = (this.#state ^ 0xffffffff) >>> 0;
    return btoa(String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff));
  }
}
