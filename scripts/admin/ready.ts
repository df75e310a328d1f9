import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { UsageError } from "./usage-error.ts";

const ReadyFile = v.object({
  users_base_url: v.string(),
  project: v.string(),
  export_bucket: v.string(),
  storage_endpoint: v.string(),
  bigquery_endpoint: v.string(),
  firestore_host: v.string(),
  firestore_admin_endpoint: v.string(),
  firestore_databases: v.object({ main: v.string(), usage: v.string() }),
  pubsub_host: v.string(),
  tasks_host: v.string(),
  metadata_host: v.string(),
  countries_file: v.string(),
  functions: v.record(v.string(), v.string()),
});

/** The addresses of a running local service. */
export type LocalService = v.InferOutput<typeof ReadyFile>;

/** Reads the `ready.json` of a running local service. Throws a UsageError if no service runs there. */
export function readReady(stateDirectory: string): LocalService {
  const file = join(stateDirectory, "ready.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UsageError(
      `No service is running: ${file} does not exist; start one with ./scripts/start, or name its folder with --state DIR`,
    );
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ReadyFile), text);
  if (parsed.success) return parsed.output;
  throw new UsageError(`${file} was not written by a service of this version: start it again with ./scripts/start`);
}

/** Throws a UsageError unless the service answers: a killed service leaves its `ready.json` behind. */
export async function assertAnswers({ users_base_url }: LocalService, stateDirectory: string): Promise<void> {
  try {
    await fetch(users_base_url);
  } catch {
    throw new UsageError(`The service in ${stateDirectory} does not answer at ${users_base_url}; start it again with ./scripts/start`);
  }
}
