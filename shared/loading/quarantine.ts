import type { LandedObject, LandingBucket } from "../google/landing-bucket.ts";
import type { Log } from "../runtime/log.ts";
import type { BadBatch } from "./batch-fault.ts";
import { fileOf, type LandedManifest } from "./delivery.ts";
import { type LandingFolder, quarantinePrefix } from "./landing-path.ts";

/**
 * Moves a manifest and the files that it alone brought to `quarantine/{table}/{country}/{date}/{generation of the manifest}/`, with `errors.json` beside
 * them. The folder is then as it was before the manifest, and names may be uploaded again. The manifest goes last: until then a repeated delivery does
 * the rest. The log tells no values: files hold raw counts.
 */
export async function quarantine(
  { bucket, log }: { readonly bucket: LandingBucket; readonly log: Log },
  folder: LandingFolder,
  manifest: LandedManifest,
  files: readonly LandedObject[],
  { faults, total }: BadBatch,
): Promise<void> {
  const { object } = manifest;
  const prefix = quarantinePrefix(folder, object.generation);
  const errors = faults.map(({ file, line, says, right }) => ({ file: file ?? null, line: line ?? null, error: says, correct: right }));
  await bucket.writeJson(`${prefix}errors.json`, { ...folder, manifest: fileOf(object), total, errors });
  for (const file of files) await bucket.move(file, `${prefix}${fileOf(file)}`);
  await bucket.move(object, `${prefix}${fileOf(object)}`);
  const { table, country, date } = folder;
  log("ERROR", "A batch was quarantined", { table, country, date, faults: total, errors: `gs://${bucket.name}/${prefix}errors.json` });
}
