import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readIfThere, writeDurably } from "./durable-file.ts";
import type { StartOptions } from "./options.ts";

/**
 * The version of the data folder's format. Increase it with every change that makes older folders unreadable, including changes to the
 * tables of `infra/warehouse` that no migration makes, and to the places of the sample.
 */
const FORMAT = 6;
const MARKER = "populus.json";

const Marker = v.looseObject({ service: v.literal("populus"), format: v.number() });
const Settings = v.object({ seed: v.number(), scale: v.number(), days: v.number() });

/** The parameters of the sample data. */
export type SampleSettings = v.InferOutput<typeof Settings>;

const DEFAULTS: SampleSettings = { seed: 1, scale: 1, days: 14 };

/**
 * Returns the settings of a start: those given, else those stored in the data folder, else the defaults. Does not write. Throws a one-line
 * error if the folder is not a data folder, was created by another version, or has another seed or scale than requested. A different number
 * of days is accepted.
 */
export function sampleSettings({ dataDirectory, seed, scale, days }: StartOptions): SampleSettings {
  const kept = dataDirectory === undefined ? undefined : persistedSettings(dataDirectory);
  for (const [name, asked] of [
    ["seed", seed],
    ["scale", scale],
  ] as const)
    if (kept && asked !== undefined && asked !== kept[name])
      throw new Error(
        `${dataDirectory} was created with --${name} ${kept[name]}: omit --${name} ${asked}, or choose another folder with --data DIR`,
      );
  const known = kept ?? DEFAULTS;
  return { seed: seed ?? known.seed, scale: scale ?? known.scale, days: days ?? known.days };
}

/** Marks the folder as a data folder of this service. The caller must hold its lock. */
export function persistSettings(directory: string, { seed, scale, days }: SampleSettings): void {
  const marker = { service: "populus", format: FORMAT, seed, scale, days };
  const text = `${JSON.stringify(marker, undefined, 2)}\n`;
  if (readIfThere(join(directory, MARKER)) !== text) writeDurably(join(directory, MARKER), text);
}

function persistedSettings(directory: string): SampleSettings | undefined {
  const another = "choose another folder with --data DIR";
  let text: string | undefined;
  try {
    text = readIfThere(join(directory, MARKER));
    if (text === undefined && readdirSync(directory).some((name) => name !== LOCK))
      throw new Error(`${directory} contains files that this service did not create; ${another}`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return undefined;
    throw new Error(`${directory} cannot be used as a data folder (${String(error.code)}); ${another}`);
  }
  if (text === undefined) return undefined;
  const marker = v.safeParse(Marker, parsed(text));
  if (!marker.success) throw new Error(`${join(directory, MARKER)} is not in the format of this service; ${another}`);
  const { format } = marker.output;
  if (format !== FORMAT)
    throw new Error(
      `${directory} was created by another version of this service (format ${format}, expected ${FORMAT}): delete it, or ${another}`,
    );
  return v.parse(Settings, marker.output);
}

/** The lock file. The process that holds it owns the folder. */
export const LOCK = "lock";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
