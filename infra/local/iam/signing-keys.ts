import { createHash, generateKeyPair, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);
const verifySignature = promisify(verify);
const createSignature = promisify(sign);

/** The size of the keys that Google manages for a service account: a signature has 256 bytes. */
const BITS = 2048;

interface KeyPair {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A signature (RSA with PKCS #1 v1.5 and SHA-256) and the id of the key that made it. */
export interface Signature {
  readonly keyId: string;
  readonly signature: Buffer;
}

/** The keys that sign as service accounts, one for each. A key is generated at its first signature and ends with the process. */
export class SigningKeys {
  readonly #pairs = new Map<string, Promise<KeyPair>>();

  async sign(email: string, content: Buffer): Promise<Signature> {
    const { id, privateKey } = await this.#pairOf(email);
    return { keyId: id, signature: await createSignature("sha256", content, privateKey) };
  }

  /** Whether the account has signed this content. */
  async isSignedBy(email: string, content: Buffer, signature: Buffer): Promise<boolean> {
    const pair = await this.#pairs.get(email);
    return pair !== undefined && (await verifySignature("sha256", content, pair.publicKey, signature));
  }

  #pairOf(email: string): Promise<KeyPair> {
    const known = this.#pairs.get(email);
    if (known) return known;
    const made = makePair();
    this.#pairs.set(email, made);
    return made;
  }
}

async function makePair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate("rsa", { modulusLength: BITS });
  const id = createHash("sha1")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
  return { id, publicKey, privateKey };
}
