import { BIGINT, VARCHAR } from "@duckdb/node-api";
import type { NativeFunction } from "./register.ts";

/** The constants of FarmHash: primes between 2^63 and 2^64. */
const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;

type Pair = readonly [first: bigint, second: bigint];

/** The lowest 64 bits. */
const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotated = (value: bigint, by: bigint): bigint => u64((value >> by) | (value << (64n - by)));
const mixed = (value: bigint): bigint => value ^ (value >> 47n);

function joined(left: bigint, right: bigint, by: bigint): bigint {
  const a = mixed(u64((left ^ right) * by));
  return u64(mixed(u64((right ^ a) * by)) * by);
}

/** The sum of 32 bytes, not mixed well. */
function weak(bytes: Buffer, at: number, seeds: Pair): Pair {
  const [w, x, y, z] = [0, 8, 16, 24].map((offset) => bytes.readBigUInt64LE(at + offset));
  const a = u64(seeds[0] + (w ?? 0n));
  const b = rotated(u64(seeds[1] + a + (z ?? 0n)), 21n);
  const sum = u64(a + (x ?? 0n) + (y ?? 0n));
  return [u64(sum + (z ?? 0n)), u64(b + rotated(sum, 44n) + a)];
}

function upTo16(bytes: Buffer): bigint {
  const { length } = bytes;
  const by = u64(K2 + BigInt(length) * 2n);
  if (length >= 8) {
    const a = u64(bytes.readBigUInt64LE(0) + K2);
    const b = bytes.readBigUInt64LE(length - 8);
    return joined(u64(rotated(b, 37n) * by + a), u64((rotated(a, 25n) + b) * by), by);
  }
  if (length >= 4) return joined(BigInt(length) + (BigInt(bytes.readUInt32LE(0)) << 3n), BigInt(bytes.readUInt32LE(length - 4)), by);
  if (length === 0) return K2;
  const y = BigInt((bytes[0] ?? 0) + ((bytes[length >> 1] ?? 0) << 8));
  const z = BigInt(length + ((bytes[length - 1] ?? 0) << 2));
  return u64(mixed(u64(y * K2) ^ u64(z * K0)) * K2);
}

/** Two sums of the first and the last 16 bytes. */
function ends(bytes: Buffer, seed: bigint, by: bigint): Pair {
  const { length } = bytes;
  const a = u64(bytes.readBigUInt64LE(0) * seed);
  const b = bytes.readBigUInt64LE(8);
  const c = u64(bytes.readBigUInt64LE(length - 8) * by);
  const d = u64(bytes.readBigUInt64LE(length - 16) * K2);
  return [u64(rotated(u64(a + b), 43n) + rotated(c, 30n) + d), u64(a + rotated(u64(b + K2), 18n) + c)];
}

function upTo32(bytes: Buffer): bigint {
  const by = u64(K2 + BigInt(bytes.length) * 2n);
  return joined(...ends(bytes, K1, by), by);
}

function upTo64(bytes: Buffer): bigint {
  const { length } = bytes;
  const by = u64(K2 + BigInt(length) * 2n);
  const [y, rest] = ends(bytes, K2, by);
  const z = joined(y, rest, by);
  const a = u64(bytes.readBigUInt64LE(0) * K2);
  const e = u64(bytes.readBigUInt64LE(16) * by);
  const f = bytes.readBigUInt64LE(24);
  const g = u64((y + bytes.readBigUInt64LE(length - 32)) * by);
  const h = u64((z + bytes.readBigUInt64LE(length - 24)) * by);
  return joined(u64(rotated(u64(e + f), 43n) + rotated(g, 30n) + h), u64(e + rotated(u64(f + a), 18n) + g), by);
}

interface State {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly v: Pair;
  readonly w: Pair;
}

/** The state after 64 more bytes. Of the last ones, which may overlap those before, two sums count nine times. */
function after(state: State, bytes: Buffer, at: number, by: bigint, nine: bigint): State {
  const { v, w } = state;
  const word = (offset: number) => bytes.readBigUInt64LE(at + offset);
  const x = u64(rotated(u64(state.x + state.y + v[0] + word(8)), 37n) * by) ^ u64(w[1] * nine);
  const y = u64(rotated(u64(state.y + v[1] + word(48)), 42n) * by + v[0] * nine + word(40));
  const z = u64(rotated(u64(state.z + w[0]), 33n) * by);
  const first = weak(bytes, at, [u64(v[1] * by), u64(x + w[0])]);
  const second = weak(bytes, at + 32, [u64(z + w[1]), u64(y + word(16))]);
  return { x: z, y, z: x, v: first, w: second };
}

function long(bytes: Buffer): bigint {
  const { length } = bytes;
  const y = u64(81n * K1 + 113n);
  const x = u64(81n * K2 + bytes.readBigUInt64LE(0));
  let state: State = { x, y, z: u64(mixed(u64(y * K2 + 113n)) * K2), v: [0n, 0n], w: [0n, 0n] };
  const end = Math.floor((length - 1) / 64) * 64;
  for (let at = 0; at < end; at += 64) state = after(state, bytes, at, K1, 1n);
  const by = u64(K1 + ((state.z & 0xffn) << 1n));
  const rest = u64(state.w[0] + BigInt((length - 1) & 63));
  const first = u64(state.v[0] + rest);
  state = { ...state, v: [first, state.v[1]], w: [u64(rest + first), state.w[1]] };
  const last = after(state, bytes, length - 64, by, 9n);
  return joined(
    u64(joined(last.v[0], last.w[0], by) + u64(mixed(last.y) * K0) + last.z),
    u64(joined(last.v[1], last.w[1], by) + last.x),
    by,
  );
}

/** Returns FarmHash's Fingerprint64 as a signed number. Source: https://github.com/google/farmhash, `farmhashna::Hash64` of src/farmhash.cc */
function fingerprint(bytes: Buffer): bigint {
  const { length } = bytes;
  const hash = length <= 16 ? upTo16(bytes) : length <= 32 ? upTo32(bytes) : length <= 64 ? upTo64(bytes) : long(bytes);
  return BigInt.asIntN(64, hash);
}

function ofText(name: string, encoding: BufferEncoding): NativeFunction {
  return { name, parameterTypes: [VARCHAR], returnType: BIGINT, of: (text) => fingerprint(Buffer.from(String(text), encoding)) };
}

/** FARM_FINGERPRINT of a text, and of bytes that are written in hexadecimal. */
export const FINGERPRINTS: readonly NativeFunction[] = [ofText("bq_fingerprint", "utf8"), ofText("bq_fingerprint_of_hex", "hex")];
