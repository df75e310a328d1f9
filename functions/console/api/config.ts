import * as v from "valibot";
import { text } from "../texts.ts";
import { RequestFailed } from "./problem.ts";

const Config = v.object({
  users_base_url: v.string(),
  data_base_url: v.string(),
  storage_url: v.string(),
  export_bucket: v.string(),
  /** How often headcounts are measured. */
  tick_seconds: v.number(),
  /** The base map of the operator: a PMTiles archive or a style document. Left out: the built-in one. */
  base_map: v.optional(v.object({ kind: v.picklist(["pmtiles", "style"]), url: v.string() })),
});

export type Config = v.InferOutput<typeof Config>;

/** The folder of the console's files. */
export const FOLDER = "/console/";

const ANSWER_SECONDS = 60;

let file = "";
let loaded: Promise<Config> | undefined;

/** Sets the file with the addresses of the service. They are in a file of their own, so that one build serves every environment. */
export function useConfig(address: string): void {
  file = address;
  loaded = undefined;
}

/** Returns the addresses of the service. Rejects with `RequestFailed` if their file cannot be had; the next call asks again. */
export function config(): Promise<Config> {
  loaded ??= load();
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

async function load(): Promise<Config> {
  const { host, pathname } = new URL(file);
  const answer = await fetch(file, { signal: AbortSignal.timeout(ANSWER_SECONDS * 1000) }).catch(() => {
    throw new RequestFailed(0, "unreachable", text("error.unreachable", { host }));
  });
  const parsed = v.safeParse(Config, await answer.json().catch(() => undefined));
  if (!parsed.success) throw new RequestFailed(answer.status, "unexpected_answer", text("error.unexpected", { path: pathname }));
  return parsed.output;
}
