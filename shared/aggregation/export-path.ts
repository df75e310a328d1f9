/** Where an export lies. Folders end in a slash, so that customer `u1` never covers `u10`. */
export interface ExportLocation {
  readonly uid: string;
  readonly jobId: string;
  /** `{product}_{bucket}_{measure}`, for example `activities_daily_sum_unique_people`. */
  readonly folder: string;
}

/** `results/{uid}/{job}/{folder}/`: the prefix of every object of an export. */
export function exportPrefix({ uid, jobId, folder }: ExportLocation): string {
  return `results/${uid}/${jobId}/${folder}/`;
}

/** The parts of one attempt; a retried attempt writes beside them, never over them. */
export function partPrefix(location: ExportLocation, attempt: number): string {
  return `${exportPrefix(location)}part-${attempt}-`;
}

/** The object of an export's folder that says that it is whole: written last, removed first. */
const MANIFEST = "manifest.json";

/** Whether an object is a manifest, by its whole name: who sees one sees a whole export, so manifests are removed before the parts. */
export function isManifest(name: string): boolean {
  return name.endsWith(`/${MANIFEST}`);
}

export function manifestName(location: ExportLocation): string {
  return exportPrefix(location) + MANIFEST;
}

/** The page of Google's console that shows the folder to who is logged in there. */
export function browserPath(bucket: string, { uid, jobId, folder }: ExportLocation): string {
  return `https://console.cloud.google.com/storage/browser/${bucket}/results/${uid}/${jobId}/${folder}`;
}
