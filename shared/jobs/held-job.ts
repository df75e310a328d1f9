import { FieldPath } from "@google-cloud/firestore";
import { ApiKey } from "../accounts/api-keys.ts";
import { assertHeld } from "../accounts/held-key.ts";
import { firestoreReader } from "../google/firestore.ts";
import type { HeldKey } from "../http/caller.ts";
import type { Config } from "../runtime/config.ts";
import { type Job, LISTED_FIELDS, readJob } from "./stored-job.ts";

/**
 * Finds a job, and checks the caller's key with the same read: nothing is told after the key was revoked.
 * @param request the job's request as it was asked for (`whole`), which may have twenty thousand ids, or what every request has (`brief`)
 */
type HeldJobReader = (id: string, key: HeldKey, request: "whole" | "brief") => Promise<Job | undefined>;

const HELD_FIELDS = [...LISTED_FIELDS, ...Object.keys(ApiKey.entries)].map((path) => new FieldPath(...path.split(".")));

/** Opens the jobs to tell of one at a time. Throws `unauthenticated` and `permission_denied`. */
export function openHeldJobReader(config: Config): HeldJobReader {
  const db = firestoreReader(config);
  return async (id, key, request) => {
    const paths = [`jobs/${id}`, `apiKeys/${key.id}`];
    const [document, keyDocument] = await db.readTogether(paths, request === "whole" ? undefined : HELD_FIELDS);
    assertHeld(key, keyDocument);
    return readJob(document);
  };
}
