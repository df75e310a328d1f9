import * as v from "valibot";

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

let loaded: Promise<Config> | undefined;

/** Returns the addresses of the service. They are in a file of their own, so that one build serves every environment. */
export function config(): Promise<Config> {
  loaded ??= fetch(`${FOLDER}config.json`)
    .then((answer) => answer.json())
    .then((json) => v.parse(Config, json));
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}
