import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { ApiKey } from "../../../shared/accounts/api-keys.ts";
import { Customer } from "../../../shared/accounts/customers.ts";
import { StoredAccount } from "../../../shared/accounts/machine-accounts.ts";

const CustomerAccess = v.pick(Customer, ["name", "status", "countries", "allow"]);

/** What a customer may do. */
export type CustomerAccess = v.InferOutput<typeof CustomerAccess>;

/** A key under its hash, with what identifies it in the audit. */
export interface KeyAccess {
  readonly key: ApiKey;
  /** The first characters of the key; undefined for a key whose machine account is missing. */
  readonly keyHint: string | undefined;
  /** When the key was made; undefined as above. */
  readonly madeAt: Date | undefined;
}

/** Who may do what, in one state of a database. */
export interface AccessState {
  /** Customers by uid. */
  readonly customers: ReadonlyMap<string, CustomerAccess>;
  /** Keys by their hash. */
  readonly keys: ReadonlyMap<string, KeyAccess>;
}

const UNKNOWN = { keyHint: undefined, madeAt: undefined };

/** Reads the customers and keys of a database, as of one moment. */
export async function readAccess(db: Firestore): Promise<AccessState> {
  return db.runTransaction(
    async (transaction) => {
      const customers = await transaction.get(db.collection("customers"));
      const keys = await transaction.get(db.collection("apiKeys"));
      const accounts = await transaction.get(db.collectionGroup("machineAccounts"));
      const hints = new Map(
        accounts.docs.map((document) => {
          const { keyHash, keyHint, rotatedAt } = v.parse(StoredAccount, document.data());
          return [keyHash, { keyHint, madeAt: rotatedAt }];
        }),
      );
      return {
        customers: new Map(customers.docs.map((document) => [document.id, v.parse(CustomerAccess, document.data())])),
        keys: new Map(
          keys.docs.map((document) => [document.id, { key: v.parse(ApiKey, document.data()), ...(hints.get(document.id) ?? UNKNOWN) }]),
        ),
      };
    },
    { readOnly: true },
  );
}
