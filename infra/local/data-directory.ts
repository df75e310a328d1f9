import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readIfThere, writeDurably } from "./durable-file.ts";
import type { StartOptions } from "./options.ts";

/** What is kept and how. To be raised with every change that makes older folders unreadable, the tables of `infra/warehouse` included. */
const FORMAT = 1;
const MARKER = "populus.json";

const Marker = v.looseObject({ service: v.literal("populus"), format: v.number() });
const Settings = v.object({ seed: v.number(), scale: v.number(), days: v.number() });

/** What the sample data is made with. */
export type SampleSettings = v.InferOutput<typeof Settings>;

const DEFAULTS: SampleSettings = { seed: 1, scale: 1, days: 14 };

/**
 * The settings of a start: those asked for, else those that its data folder was made with, else the defaults. Only looks. Throws one line when
 * the folder is not one of ours, was made by another version, or with a seed or a scale other than those asked for; another number of days is
 * applied.
 */
export function sampleSettings({ dataDirectory, seed, scale, days }: StartOptions): SampleSettings {
  const kept = dataDirectory === undefined ? undefined : persistedSettings(dataDirectory);
  for (const [name, asked] of [
    ["seed", seed],
    ["scale", scale],
  ] as const)
    if (kept && asked !== undefined && asked !== kept[name])
      throw new Error(
        `${dataDirectory} was made with --${name} ${kept[name]}: leave out --${name} ${asked}, or name another folder with --data DIR`,
      );
  const known = kept ?? DEFAULTS;
  return { seed: seed ?? known.seed, scale: scale ?? known.scale, days: days ?? known.days };
}

/** Makes the folder one of ours. Its lock must be held. */
export function persistSettings(directory: string, { seed, scale, days }: SampleSettings): void {
  const marker = { service: "populus", format: FORMAT, seed, scale, days };
  const text = `${JSON.stringify(marker, undefined, 2)}\n`;
  if (readIfThere(join(directory, MARKER)) !== text) writeDurably(join(directory, MARKER), text);
}

function persistedSettings(directory: string): SampleSettings | undefined {
  const another = "name another folder with --data DIR";
  let text: string | undefined;
  try {
    text = readIfThere(join(directory, MARKER));
    if (text === undefined && readdirSync(directory).some((name) => name !== LOCK))
      throw new Error(`${directory} holds files that this service did not make; ${another}`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return undefined;
    throw new Error(`${directory} cannot be a data folder (${String(error.code)}); ${another}`);
  }
  if (text === undefined) return undefined;
  const marker = v.safeParse(Marker, parsed(text));
  if (!marker.success) throw new Error(`${join(directory, MARKER)} is not what this service writes; ${another}`);
  const { format } = marker.output;
  if (format !== FORMAT)
    throw new Error(`${directory} was made by another version of this service (its format is ${format}, not ${FORMAT}); ${another}`);
  return v.parse(Settings, marker.output);
}

/** The file by which a process holds the folder. */
export const LOCK = "lock";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
