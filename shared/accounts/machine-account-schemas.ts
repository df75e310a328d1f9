import * as v from "valibot";
import { Timestamp } from "../http/fields.ts";
import { CLIENT_KINDS } from "../runtime/client-kind.ts";
import { ExpiresAt } from "./key-expiry.ts";
import { SCOPES } from "./key-grants.ts";
import { Profile } from "./login-schemas.ts";

const KEY_LABEL = /^[a-z][a-z0-9-]{0,62}$/;

/** The name of a machine account within its customer. */
export const KeyLabel = v.pipe(
  v.string(),
  v.regex(KEY_LABEL, "must be 1 to 63 lower-case letters, digits and dashes, beginning with a letter"),
);

/** What is said of a label of no machine account, and of one that cannot be a label. */
export const NO_SUCH_ACCOUNT = "There is no such machine account";

/** The name of a machine account in a path. */
export const KeyLabelInPath = v.pipe(v.string(), v.regex(KEY_LABEL, NO_SUCH_ACCOUNT));

/** What is said of another customer's id, of one of no customer, and of one that cannot be an id. */
export const NO_SUCH_CUSTOMER = "There is no such thing";

/** The customer's id in a path. The service generates ids. */
export const Uid = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{7,19}$/, NO_SUCH_CUSTOMER));

/** The body that creates a machine account, or rotates the key of an existing one. */
export const CreateMachineAccountBody = v.pipe(
  v.strictObject({
    keyLabel: KeyLabel,
    service: v.pipe(v.optional(Profile), v.description("Default: storage for a new label, the present profile for an existing one")),
    expiresAt: v.pipe(
      v.optional(v.nullable(ExpiresAt)),
      v.description("The end of the key, null for none. Default: none for a new label, the present end for an existing one"),
    ),
  }),
  v.title("CreateMachineAccount"),
);

/** The end of a key in a response. */
export const KeyEnd = v.pipe(v.nullable(Timestamp), v.description("From when on the key is refused; null for a key without an end"));

/** A new key. It is shown only here. */
export const NewKeyResponse = v.pipe(
  v.strictObject({
    keyLabel: v.string(),
    service: Profile,
    apiKey: v.pipe(v.string(), v.description("64 lower-case hexadecimal characters, shown only here")),
    serviceAccount: v.pipe(v.string(), v.description("The service account whose tokens the key mints")),
    rotatedAt: Timestamp,
    expiresAt: KeyEnd,
    rotated: v.pipe(v.boolean(), v.description("Whether the label had a key before, which is invalid now")),
  }),
  v.title("NewKey"),
);

/** The new scopes, service profile or end of a machine account, or several of them. */
export const ChangeMachineAccountBody = v.pipe(
  v.strictObject({
    scopes: v.pipe(v.optional(v.array(v.picklist(SCOPES))), v.description("All scopes of the key from now on; [] removes all")),
    service: v.optional(Profile),
    expiresAt: v.pipe(v.optional(v.nullable(ExpiresAt)), v.description("The end of the key; null removes it")),
  }),
  v.title("ChangeMachineAccount"),
);

/** A machine account. Never a key or a hash. */
export const MachineAccountResponse = v.pipe(
  v.strictObject({
    keyLabel: v.string(),
    service: Profile,
    scopes: v.array(v.picklist(SCOPES)),
    createdAt: Timestamp,
    rotatedAt: Timestamp,
    lastUsedAt: v.pipe(v.nullable(Timestamp), v.description("Accurate to five minutes; null when the key was never used")),
    lastUsedFrom: v.pipe(
      v.nullable(
        v.pipe(
          v.strictObject({
            address: v.pipe(v.nullable(v.string()), v.description("The IP address")),
            client: v.pipe(v.picklist(CLIENT_KINDS), v.description("The kind of client, by its User-Agent")),
          }),
          v.title("KeyUse"),
        ),
      ),
      v.description("Where the last recorded use came from"),
    ),
    expiresAt: KeyEnd,
    keyHint: v.pipe(v.string(), v.description("The first six characters of the key")),
  }),
  v.title("MachineAccount"),
);

/** The customer's machine accounts, by label. */
export const MachineAccountListResponse = v.pipe(
  v.strictObject({ machineAccounts: v.array(MachineAccountResponse) }),
  v.title("MachineAccountList"),
);

/** A machine account that was removed. */
export const RemovedMachineAccountResponse = v.pipe(
  v.strictObject({ msg: v.string(), keyLabel: v.string() }),
  v.title("RemovedMachineAccount"),
);
