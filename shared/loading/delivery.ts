import type { LandedObject } from "../google/landing-bucket.ts";
import type { BatchFault } from "./batch-fault.ts";
import { parseLandingPath } from "./landing-path.ts";
import type { Manifest } from "./manifest.ts";

/** A manifest of a folder: an object, and what it says. Undefined content: `_SUCCESS`. */
export interface LandedManifest {
  readonly object: LandedObject;
  readonly content: Manifest | undefined;
}

/** What a folder holds of its day, by its manifests. */
export interface Delivery {
  /** The day's files, by name. */
  readonly files: readonly LandedObject[];
  /** What the manifests say and the folder does not hold. */
  readonly faults: readonly BatchFault[];
}

/**
 * Returns the day that the manifests of a folder make together, whatever the order in which their notifications arrive:
 * - A JSON manifest adds the files that it names, with these checksums, and takes out those that it replaces.
 * - `_SUCCESS` adds the data files that were there when it was written. A JSON manifest that was there by then wins: `_SUCCESS` adds nothing.
 * Manifests never take out a file that none of them replaces, so two files of one day never overwrite each other.
 */
export function deliveryOf(objects: readonly LandedObject[], manifests: readonly LandedManifest[]): Delivery {
  const data = new Map(objects.filter(isData).map((object) => [fileOf(object), object]));
  const inOrder = manifests.toSorted(byTime);
  const names = new Set<string>();
  for (const manifest of inOrder) {
    for (const name of manifest.content?.replaces ?? []) names.delete(name);
    for (const name of filesOf(manifest, objects, manifests)) names.add(name);
  }
  return {
    files: [...names].sort().flatMap((name) => data.get(name) ?? []),
    faults: inOrder.flatMap((manifest) => [...faultsOf(manifest, data), ...earlyFaults(manifest, objects, manifests)]),
  };
}

/** Returns what a manifest says and the folder does not hold. */
function faultsOf({ object, content }: LandedManifest, data: ReadonlyMap<string, LandedObject>): BatchFault[] {
  return (content?.files ?? []).flatMap(({ name, crc32c }) => {
    const found = data.get(name);
    if (found?.crc32c === crc32c) return [];
    const fault = found
      ? { file: name, says: `has the CRC32C ${found.crc32c}, its manifest says ${crc32c}`, right: `a file with the CRC32C ${crc32c}` }
      : { file: fileOf(object), says: `names ${name}, which is not in the folder`, right: `upload ${name} before its manifest` };
    return [{ ...fault, line: undefined }];
  });
}

/** Returns the fault of a `_SUCCESS` that brings nothing because all files of the day were written after it. */
function earlyFaults(manifest: LandedManifest, objects: readonly LandedObject[], manifests: readonly LandedManifest[]): BatchFault[] {
  const late = objects.find(isData);
  const isAlone = manifests.every(({ content }) => content === undefined);
  if (!isAlone || late === undefined || filesOf(manifest, objects, manifests).length > 0) return [];
  const says = `brings no files: ${fileOf(late)} was written after it`;
  return [{ file: fileOf(manifest.object), line: undefined, says, right: "_SUCCESS after its files" }];
}

/** Returns the files that a manifest alone brings: what is quarantined with it, so that the folder is as it was before. */
export function broughtBy(
  manifest: LandedManifest,
  objects: readonly LandedObject[],
  manifests: readonly LandedManifest[],
): LandedObject[] {
  const others = manifests.filter(({ object }) => object.name !== manifest.object.name);
  const kept = new Set(others.flatMap((other) => filesOf(other, objects, others)));
  const brought = new Set(filesOf(manifest, objects, manifests));
  return objects.filter((object) => isData(object) && brought.has(fileOf(object)) && !kept.has(fileOf(object)));
}

function filesOf({ object, content }: LandedManifest, objects: readonly LandedObject[], manifests: readonly LandedManifest[]): string[] {
  return content === undefined ? successFiles(object, objects, manifests) : content.files.map(({ name }) => name);
}

function successFiles(success: LandedObject, objects: readonly LandedObject[], manifests: readonly LandedManifest[]): string[] {
  if (manifests.some(({ object, content }) => content !== undefined && object.createdAt <= success.createdAt)) return [];
  return objects.filter((object) => isData(object) && object.createdAt <= success.createdAt).map(fileOf);
}

function isData({ name }: LandedObject): boolean {
  const kind = parseLandingPath(name)?.kind;
  return kind === "csv" || kind === "parquet";
}

/** Returns an object's name within its folder. */
export function fileOf({ name }: Pick<LandedObject, "name">): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function byTime(one: LandedManifest, other: LandedManifest): number {
  const [a, b] = [`${one.object.createdAt} ${one.object.name}`, `${other.object.createdAt} ${other.object.name}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
