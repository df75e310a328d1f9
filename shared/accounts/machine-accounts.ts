import { randomBytes } from "node:crypto";
import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { createOnce, firestore, firestoreReader, StoredTime } from "../google/firestore.ts";
import type { HeldKey } from "../http/caller.ts";
import type { Config } from "../runtime/config.ts";
import { createInTurn } from "../runtime/in-turn.ts";
import { creationRefusal, creationsSince } from "./account-limits.ts";
import { keyHash, keyHint } from "./api-key.ts";
import { ApiKey } from "./api-keys.ts";
import { Customer } from "./customers.ts";
import { type Actor, getAllAs } from "./held-key.ts";
import { type Grants, PROFILES, SCOPES } from "./key-grants.ts";
import { type LastUse, NEVER_USED, openKeyUses } from "./key-uses.ts";

/** `customers/{uid}/machineAccounts/{keyLabel}`. */
export const StoredAccount = v.object({
  service: v.picklist(PROFILES),
  scopes: v.array(v.picklist(SCOPES)),
  keyHash: v.string(),
  keyHint: v.string(),
  createdAt: StoredTime,
  rotatedAt: StoredTime,
  expiresAt: v.optional(v.nullable(StoredTime), null),
});

/** A machine account for responses: without the hash of its key. */
type MachineAccount = Omit<v.InferOutput<typeof StoredAccount>, "keyHash"> & LastUse & { readonly keyLabel: string };

/** A key that was just created. The service never has its text again. */
export interface NewKey {
  readonly apiKey: string;
  readonly service: Grants["service"];
  readonly keyHint: string;
  readonly expiresAt: Date | null;
  /** Whether the label had a key before, which is invalid now. */
  readonly rotated: boolean;
  /** The project of the customer's service accounts, where one is recorded. */
  readonly accountsProject: string | undefined;
}

/**
 * Decides the grants of a new key, from those of the label's present key (undefined for a new label) and the customer's countries. May
 * throw to refuse. Countries that the customer does not have are always dropped.
 */
type GrantPolicy = (present: Grants | undefined, customer: Pick<Customer, "countries">) => Grants;

export interface MachineAccountStore {
  /**
   * Creates a key for a customer's label in one transaction and deletes the label's previous key, so that one key remains however many
   * calls run at once. A key of a suspended customer is suspended too. Throws `resource_exhausted` for a new label beyond the customer's
   * limits, and also for a customer that does not exist, and if the creator's key was revoked or lost access meanwhile.
   */
  readonly createOrRotate: (uid: string, keyLabel: string, now: Date, decide: GrantPolicy, creator: HeldKey) => Promise<NewKey>;
}

/** Returns the machine accounts of a customer, by label, with the last uses of their keys. */
export type ListMachineAccounts = (uid: string) => Promise<MachineAccount[]>;

/** How long a rotation waits for those before it, in milliseconds: less than its request may take. */
const TURN_MS_MAX = 9_000;

/** Opens the machine accounts in Firestore: `customers/{uid}/machineAccounts/{keyLabel}`, with their keys in `apiKeys/{hash}`. */
export function openMachineAccounts(config: Config): MachineAccountStore {
  const db = firestore(config);
  // All keys of a customer in turn: rotations at once read and write the same documents.
  const inTurn = createInTurn(TURN_MS_MAX);
  return {
    createOrRotate: (uid, keyLabel, now, decide, creator) =>
      inTurn(uid, () => createKeyAs(db, { uid, keyLabel, now, decide, environment: config.environment }, creator)),
  };
}

/** Opens the machine accounts to list them. */
export function openMachineAccountList(config: Config): ListMachineAccounts {
  const db = firestoreReader(config);
  const uses = openKeyUses(config);
  return async (uid) => {
    const { docs } = await db.collection("customers").doc(uid).collection("machineAccounts").get();
    const accounts = docs.map((document) => ({ ...v.parse(StoredAccount, document.data()), keyLabel: document.id }));
    const lastUses = await uses.of(accounts.map(({ keyLabel, keyHash: hash }) => ({ uid, keyLabel, keyHash: hash })));
    return accounts.map(({ keyHash: _hash, ...account }, index) => ({ ...account, ...(lastUses[index] ?? NEVER_USED) }));
  };
}

interface KeyCreation {
  readonly uid: string;
  readonly keyLabel: string;
  readonly environment: string;
  readonly now: Date;
  readonly decide: GrantPolicy;
  /** A key from `newApiKey` that was generated beforehand. Default: a new one. */
  readonly apiKey?: string;
}

/** Generates a key's text: 64 hexadecimal digits. It is not valid until it is stored. */
export function newApiKey(): string {
  return randomBytes(32).toString("hex");
}

/** `MachineAccountStore.createOrRotate` for the operator's tools. A key of a suspended customer is suspended too. */
export function createKey(db: Firestore, making: KeyCreation): Promise<NewKey> {
  return createKeyAs(db, making, "service");
}

const CustomerOfKey = v.pick(Customer, ["status", "defaultCountry", "countries", "accountsCreatedAt", "accountsProject"]);

async function createKeyAs(
  db: Firestore,
  { uid, keyLabel, environment, now, decide, apiKey = newApiKey() }: KeyCreation,
  creator: Actor,
): Promise<NewKey> {
  const hash = keyHash(environment, apiKey);
  const customerRef = db.collection("customers").doc(uid);
  const accountRef = customerRef.collection("machineAccounts").doc(keyLabel);
  const keys = db.collection("apiKeys");
  const made = () => keys.doc(hash);
  return createOnce(db, made, async (transaction) => {
    const [customer, account] = await getAllAs(db, transaction, creator, customerRef, accountRef);
    const { status, defaultCountry, accountsCreatedAt, accountsProject, ...allowed } = v.parse(CustomerOfKey, customer?.data());
    const old = account?.exists ? v.parse(StoredAccount, account.data()) : undefined;
    const present = old && v.parse(ApiKey, (await transaction.get(keys.doc(old.keyHash))).data());
    const { service, scopes, machineAccountAdmin, expiresAt = null, ...granted } = decide(present, allowed);
    if (creator !== "service" && !old) {
      const recent = creationsSince(accountsCreatedAt ?? [], now);
      const { count } = (await transaction.get(customerRef.collection("machineAccounts").count())).data();
      const refusal = creationRefusal(count, recent, now);
      if (refusal) throw refusal;
      transaction.update(customerRef, { accountsCreatedAt: [...recent, now] });
    }
    // The creator was authenticated before this transaction: countries that its customer has lost since are dropped.
    const countries = granted.countries.filter((country) => allowed.countries.includes(country));
    if (old) transaction.delete(keys.doc(old.keyHash));
    transaction.create(keys.doc(hash), {
      ...{ uid, keyLabel, service, scopes, countries, machineAccountAdmin, expiresAt },
      defaultCountry: present?.defaultCountry ?? defaultCountry,
      suspended: status === "suspended",
    } satisfies ApiKey);
    const hint = keyHint(apiKey);
    const times = { createdAt: old?.createdAt ?? now, rotatedAt: now, expiresAt };
    transaction.set(accountRef, { service, scopes, keyHash: hash, keyHint: hint, ...times });
    return { apiKey, service, keyHint: hint, expiresAt, rotated: old !== undefined, accountsProject };
  });
}
