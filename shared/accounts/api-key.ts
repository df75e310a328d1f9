import { createHash } from "node:crypto";

const KEY = /^[0-9a-f]{64}$/;

/**
 * Returns whether a text has the form of a key: 64 lower-case hexadecimal characters. Malformed keys are refused
 * without a read. Upper case is malformed: the load balancer counts requests by the header's text, so one key must have one text.
 */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/**
 * Returns the id under which a key is stored: SHA-256 over the environment's name and the key. A key of one environment is unknown in
 * another, and a leaked store grants no access. A key has 256 random bits, so it needs no salt and no slow hash.
 */
export function keyHash(environment: string, key: string): string {
  return createHash("sha256").update(`${environment}:${key}`).digest("hex");
}

/** Returns the part of a key that may be shown later: its first six characters. */
export function keyHint(key: string): string {
  return key.slice(0, 6);
}
