import { createHash, type Hash } from "node:crypto";
import { open } from "node:fs/promises";
import { Crc32c } from "./crc32c.ts";

/** Size and hashes of an object's bytes. The hashes are base64. `md5Hash` may be missing, as on Google's composite objects. */
export interface ContentDigest {
  readonly size: number;
  readonly crc32c: string;
  readonly md5Hash?: string;
}

const READ_BYTES = 1024 * 1024;

/** Computes size, CRC32C and (unless switched off) MD5 of bytes that arrive in pieces. */
export class ContentHash {
  readonly #crc32c = new Crc32c();
  readonly #md5: Hash | undefined;
  #size = 0;

  constructor(withMd5: boolean) {
    this.#md5 = withMd5 ? createHash("md5") : undefined;
  }

  get size(): number {
    return this.#size;
  }

  update(bytes: Uint8Array): void {
    this.#crc32c.update(bytes);
    this.#md5?.update(bytes);
    this.#size += bytes.byteLength;
  }

  /** Returns the digest so far. It can be called again after further updates. */
  digest(): ContentDigest {
    const md5Hash = this.#md5?.copy().digest("base64");
    return { size: this.#size, crc32c: this.#crc32c.digest(), ...(md5Hash === undefined ? {} : { md5Hash }) };
  }
}

/** Computes the digest of a whole file, read through one buffer. */
export async function digestFile(path: string, withMd5: boolean): Promise<ContentDigest> {
  const hash = new ContentHash(withMd5);
  await using file = await open(path, "r");
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
    if (bytesRead === 0) return hash.digest();
    hash.update(buffer.subarray(0, bytesRead));
  }
}
