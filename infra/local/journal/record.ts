import { crc32 } from "node:zlib";

/** New values by key; undefined removes the key. Applied atomically. */
export type Changes = ReadonlyMap<string, Uint8Array | undefined>;

export interface Entry {
  readonly key: string;
  /** Undefined: the key is removed. A view of the record's bytes, not a copy. */
  readonly value: Buffer | undefined;
  /** The offset in the record's payload. */
  readonly offset: number;
}

/**
 * A record is its payload's length, its payload's CRC-32, the CRC-32 of these two, and the payload. Without the header's checksum, a
 * damaged length in the middle would look like an incomplete record at the end. All numbers are 32-bit little-endian.
 */
export const HEADER_BYTES = 12;
/** A payload is a sequence of entries: the lengths of key and value, the key in UTF-8, the value. */
const ENTRY_HEADER_BYTES = 8;
const GONE = 0xffffffff;

/** Returns a record of changes and the offset of each key's entry in its bytes. */
export function encodeRecord(changes: Changes): { readonly bytes: Buffer; readonly offsets: ReadonlyMap<string, number> } {
  let size = HEADER_BYTES;
  for (const [key, value] of changes) size += ENTRY_HEADER_BYTES + Buffer.byteLength(key) + (value?.length ?? 0);
  const bytes = Buffer.allocUnsafe(size);
  const offsets = new Map<string, number>();
  let at = HEADER_BYTES;
  for (const [key, value] of changes) {
    offsets.set(key, at);
    const keyBytes = bytes.write(key, at + ENTRY_HEADER_BYTES);
    bytes.writeUInt32LE(keyBytes, at);
    bytes.writeUInt32LE(value?.length ?? GONE, at + 4);
    at += ENTRY_HEADER_BYTES + keyBytes;
    if (value) bytes.set(value, at);
    at += value?.length ?? 0;
  }
  bytes.writeUInt32LE(size - HEADER_BYTES, 0);
  bytes.writeUInt32LE(crc32(bytes.subarray(HEADER_BYTES)), 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 8)), 8);
  return { bytes, offsets };
}

/** Returns the length and the checksum of a header's payload, or undefined if the header is damaged. */
export function decodeHeader(bytes: Buffer): { readonly length: number; readonly sum: number } | undefined {
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32LE(8)) return undefined;
  return { length: bytes.readUInt32LE(0), sum: bytes.readUInt32LE(4) };
}

/** Returns the entries of a verified payload. */
export function* decodeEntries(payload: Buffer): Iterable<Entry> {
  for (let offset = 0; offset < payload.length; ) {
    const keyEnd = offset + ENTRY_HEADER_BYTES + payload.readUInt32LE(offset);
    const length = payload.readUInt32LE(offset + 4);
    const end = keyEnd + (length === GONE ? 0 : length);
    const value = length === GONE ? undefined : payload.subarray(keyEnd, end);
    yield { key: payload.toString("utf8", offset + ENTRY_HEADER_BYTES, keyEnd), value, offset };
    offset = end;
  }
}
