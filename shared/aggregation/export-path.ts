/** The location of an export. Folders end in a slash, so that customer `u1` never covers `u10`. */
export interface ExportLocation {
  readonly uid: string;
  readonly jobId: string;
  /** `{product}_{bucket}_{measure}`, for example `activities_daily_sum_unique_people`. */
  readonly folder: string;
}

/** Returns `results/{uid}/{job}/{folder}/`, the prefix of every object of an export. */
export function exportPrefix({ uid, jobId, folder }: ExportLocation): string {
  return `results/${uid}/${jobId}/${folder}/`;
}

/** Returns the prefix of one attempt's parts. A retried attempt writes new parts and never overwrites these. */
export function partPrefix(location: ExportLocation, attempt: number): string {
  return `${exportPrefix(location)}part-${attempt}-`;
}

/** The object that marks an export as complete. It is written last and removed first. */
const MANIFEST = "manifest.json";

/** Returns whether an object's full name is a manifest's. Manifests are removed before parts: a visible one means a complete export. */
export function isManifest(name: string): boolean {
  return name.endsWith(`/${MANIFEST}`);
}

export function manifestName(location: ExportLocation): string {
  return exportPrefix(location) + MANIFEST;
}

/** Returns the URL of the folder in the Google Cloud console, for users who are signed in there. */
export function browserPath(bucket: string, { uid, jobId, folder }: ExportLocation): string {
  return `https://console.cloud.google.com/storage/browser/${bucket}/results/${uid}/${jobId}/${folder}`;
}
