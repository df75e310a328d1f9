import { Firestore, Timestamp } from "@google-cloud/firestore";
import * as v from "valibot";
import type { Config } from "../config.ts";

let client: Firestore | undefined;

/** The process's one Firestore client. Where FIRESTORE_EMULATOR_HOST is set the client goes there by itself. */
export function firestore({ project }: Config): Firestore {
  client ??= new Firestore({
    projectId: project,
    ignoreUndefinedProperties: true,
  });
  return client;
}

/** A time as Firestore keeps it, read as a Date. */
export const StoredTime = v.pipe(
  v.instance(Timestamp),
  v.transform((timestamp) => timestamp.toDate()),
);
