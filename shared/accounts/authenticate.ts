import type { Authenticate } from "../http/caller.ts";
import { isKey, keyHash, keyHint } from "./api-key.ts";
import type { FindKey } from "./api-keys.ts";
import type { RecordUse } from "./key-uses.ts";

interface Keys {
  /** The environment's name, which is part of every key's hash. */
  readonly environment: string;
  readonly findKey: FindKey;
  readonly recordUse: RecordUse;
}

/** Creates authentication by API key. A malformed key costs no read. Any other costs one, without a cache: revocation is immediate. */
export function createAuthenticate({ environment, findKey, recordUse }: Keys): Authenticate {
  return async (presented) => {
    if (!isKey(presented)) return undefined;
    const hash = keyHash(environment, presented);
    const key = await findKey(hash);
    return (
      key && {
        caller: { ...key, keyHint: keyHint(presented), keyId: hash },
        recordUse: (use) => recordUse({ uid: key.uid, keyLabel: key.keyLabel, keyHash: hash }, use),
      }
    );
  };
}
