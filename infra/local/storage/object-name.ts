import { invalid } from "./storage-fault.ts";

const NAME_BYTES_MAX = 1024;

/** Throws a 400 unless Cloud Storage allows the name (https://cloud.google.com/storage/docs/objects#naming). */
export function checkObjectName(name: string): void {
  if (name === "") throw invalid("Required parameter: object name.");
  if (!name.isWellFormed()) throw invalid("Object names must be valid UTF-8.");
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw invalid(`The maximum object length is ${NAME_BYTES_MAX} characters, but got a longer name.`);
  if (/[\r\n]/.test(name) || name === "." || name === ".." || name.startsWith(".well-known/acme-challenge/")) {
    throw invalid(`Invalid object name: ${JSON.stringify(name)}`);
  }
}

/** Throws a 400 unless Cloud Storage allows the bucket name. Such a name is also safe as a directory name. */
export function checkBucketName(name: string): void {
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(name)) throw invalid(`Invalid bucket name: '${name}'`);
}

/**
 * Compares in the order of UTF-8 bytes, in which Cloud Storage lists. UTF-16 code units have the same order, except that surrogates
 * (U+10000 and up) must come after U+E000 to U+FFFF.
 */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}
