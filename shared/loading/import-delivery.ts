import { text } from "node:stream/consumers";
import * as v from "valibot";
import type { CountryTable } from "../countries/country-rules.ts";
import type { LandedObject } from "../google/landing-bucket.ts";
import type { Log } from "../runtime/log.ts";
import { planOf } from "./batch.ts";
import { BadBatch, type BatchFault } from "./batch-fault.ts";
import { broughtBy, deliveryOf, fileOf, type LandedManifest } from "./delivery.ts";
import { folderPrefix, type LandingFolder, parseLandingPath } from "./landing-path.ts";
import { type LoadContext, type LoadedAs, loadBatch } from "./load-batch.ts";
import { MANIFEST_BYTES_MAX, parseManifest } from "./manifest.ts";
import { quarantine } from "./quarantine.ts";

/** The part of an object in a notification of Cloud Storage that the import reads. Source: https://cloud.google.com/storage/docs/pubsub-notifications#payload */
export const FinalizedObject = v.object({ bucket: v.string(), name: v.string(), generation: v.string() });
export type FinalizedObject = v.InferOutput<typeof FinalizedObject>;

interface ImportContext extends LoadContext {
  readonly countries: CountryTable;
  readonly log: Log;
  readonly now: () => Date;
}

/** Each round quarantines a manifest or finds one more; more than these do not arrive while one is imported. */
const ROUNDS_MAX = 20;

/**
 * Imports what a manifest has brought: an object of a landing folder. Does nothing for objects that are no manifest, and for manifests that are no
 * longer there: a notification may be delivered again.
 */
export async function importLanded(object: FinalizedObject, context: ImportContext): Promise<void> {
  const path = parseLandingPath(object.name);
  if (object.bucket !== context.bucket.name || (path?.kind !== "success" && path?.kind !== "manifest")) return;
  await importFolder(path.folder, context, object);
}

/**
 * Imports the day that a folder holds by its manifests. What a bad manifest brought is quarantined; what the others brought is loaded. Returns what became
 * of the day; undefined if there is no manifest.
 * @param trigger the manifest whose notification is handled; left out: the newest one
 */
export async function importFolder(
  folder: LandingFolder,
  context: ImportContext,
  trigger?: Pick<FinalizedObject, "name" | "generation">,
): Promise<LoadedAs | undefined> {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const found = await readFolder(folder, context);
    const { objects, manifests } = found;
    for (const { object, faults } of found.broken)
      await quarantine(context, folder, { object, content: undefined }, [], new BadBatch(faults));
    const isTrigger = ({ object }: LandedManifest): boolean => object.name === trigger?.name && object.generation === trigger.generation;
    const handled = trigger ? manifests.find(isTrigger) : manifests.at(-1);
    if (!handled) return undefined;
    try {
      const loaded = await loadWhole(folder, found, context);
      if (loaded) return loaded;
    } catch (error) {
      if (!(error instanceof BadBatch)) throw error;
      const guilty = guiltyOf(error.faults, objects, manifests, handled);
      await quarantine(context, folder, guilty, broughtBy(guilty, objects, manifests), error);
    }
  }
  throw new Error(`${folderPrefix(folder)} did not come to rest`);
}

/**
 * Loads what the manifests of a folder bring. Returns undefined if another manifest has arrived meanwhile: the day that is loaded last must be the
 * whole one. Throws BadBatch.
 */
async function loadWhole(folder: LandingFolder, { objects, manifests }: Folder, context: ImportContext): Promise<LoadedAs | undefined> {
  const { files, faults } = deliveryOf(objects, manifests);
  if (faults.length > 0) throw new BadBatch(faults);
  const loaded = await loadBatch(context, planOf(folder, context.countries, context.now()), files);
  const after = await readFolder(folder, context);
  if (!sameFiles(files, deliveryOf(after.objects, after.manifests).files)) return undefined;
  const { table, country, date } = folder;
  const outcome = loaded.state === "loaded" ? "A day was loaded" : "A day was loaded already";
  context.log("INFO", outcome, { table, country, date, version: loaded.version, files: files.length });
  return loaded;
}

interface Folder {
  readonly objects: readonly LandedObject[];
  /** The manifests, oldest first. */
  readonly manifests: readonly LandedManifest[];
  readonly broken: readonly { readonly object: LandedObject; readonly faults: readonly BatchFault[] }[];
}

async function readFolder(folder: LandingFolder, { bucket }: ImportContext): Promise<Folder> {
  const objects = await bucket.list(folderPrefix(folder));
  const manifests: LandedManifest[] = [];
  const broken: Folder["broken"][number][] = [];
  for (const object of objects) {
    const kind = parseLandingPath(object.name)?.kind;
    if (kind === "success") manifests.push({ object, content: undefined });
    if (kind !== "manifest") continue;
    const parsed =
      object.size > MANIFEST_BYTES_MAX
        ? { faults: [`has ${object.size} bytes, and a manifest has at most ${MANIFEST_BYTES_MAX}`] }
        : parseManifest(await text(bucket.read(object.name)));
    if ("manifest" in parsed) manifests.push({ object, content: parsed.manifest });
    else {
      const right = `{"files": [{"name": "part-1.csv", "crc32c": "…"}], "replaces": []}`;
      broken.push({ object, faults: parsed.faults.map((says) => ({ file: fileOf(object), line: undefined, says, right })) });
    }
  }
  return { objects, manifests: manifests.toSorted((one, other) => (one.object.createdAt < other.object.createdAt ? -1 : 1)), broken };
}

/** Returns the manifest that brought a faulty file, or names what is not there; where no file is known to be at fault, the one that is handled. */
function guiltyOf(
  faults: readonly BatchFault[],
  objects: readonly LandedObject[],
  manifests: readonly LandedManifest[],
  handled: LandedManifest,
): LandedManifest {
  const atFault = new Set(faults.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const isGuilty = (manifest: LandedManifest): boolean =>
    atFault.has(fileOf(manifest.object)) || broughtBy(manifest, objects, manifests).some((object) => atFault.has(fileOf(object)));
  if (isGuilty(handled)) return handled;
  return manifests.find(isGuilty) ?? handled;
}

function sameFiles(one: readonly LandedObject[], other: readonly LandedObject[]): boolean {
  const of = (files: readonly LandedObject[]): string => files.map(({ name, generation }) => `${name}#${generation}`).join();
  return of(one) === of(other);
}
