import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, firestoreReader } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { HeldKey } from "../http/caller.ts";
import type { Config } from "../runtime/config.ts";
import { Customer } from "./customers.ts";
import { getAllAs } from "./held-key.ts";

/** The state of a customer's personal dataset in the provider's warehouse (scenario B). `dataset` is its name once it is there. */
export type PersonalDataset =
  | { readonly state: "none" | "requested"; readonly dataset: null }
  | { readonly state: "ready"; readonly dataset: string };

/** Returns the state of a customer's personal dataset. */
export function personalDatasetOf({
  personalDataset,
  personalDatasetRequestedAt,
}: Pick<Customer, "personalDataset" | "personalDatasetRequestedAt">): PersonalDataset {
  if (personalDataset !== null) return { state: "ready", dataset: personalDataset };
  return { state: personalDatasetRequestedAt === null ? "none" : "requested", dataset: null };
}

/** Why a request was not recorded: the customer's `allow` lacks the warehouse profile. */
type NotRequested = "not-allowed";

/** The result of a request; `isNew` is false for a dataset that was requested before. */
interface DatasetRequest {
  readonly dataset: PersonalDataset;
  readonly isNew: boolean;
}

export interface PersonalDatasetStore {
  /** Records that a customer wants its personal dataset. An operator makes it. Idempotent. Throws for a customer that does not exist. */
  readonly request: (uid: string, asker: HeldKey, now: Date) => Promise<DatasetRequest | NotRequested>;
}

const Dataset = v.pick(Customer, ["personalDataset", "personalDatasetRequestedAt", "allow"]);

/** Opens the personal datasets: fields of `customers/{uid}`. */
export function openPersonalDatasets(config: Config): PersonalDatasetStore {
  const db = firestore(config);
  return { request: (uid, asker, now) => requestDataset(db, uid, asker, now) };
}

/** Returns the state of a customer's personal dataset. Throws for a customer that does not exist. */
type ReadPersonalDataset = (uid: string) => Promise<PersonalDataset>;

/** Opens the personal datasets to read them. */
export function openPersonalDatasetReader(config: Config): ReadPersonalDataset {
  const customers = firestoreReader(config).collection("customers");
  return async (uid) => personalDatasetOf(v.parse(Dataset, await readDocument(customers.doc(uid))));
}

function requestDataset(db: Firestore, uid: string, asker: HeldKey, now: Date): Promise<DatasetRequest | NotRequested> {
  const ref = db.collection("customers").doc(uid);
  return db.runTransaction(async (transaction) => {
    const [customer] = await getAllAs(db, transaction, asker, ref);
    const present = v.parse(Dataset, customer?.data());
    const dataset = personalDatasetOf(present);
    if (dataset.state !== "none") return { dataset, isNew: false };
    if (!present.allow.profiles.includes("warehouse")) return "not-allowed";
    transaction.update(ref, { personalDatasetRequestedAt: now });
    return { dataset: { state: "requested", dataset: null }, isNew: true };
  });
}
