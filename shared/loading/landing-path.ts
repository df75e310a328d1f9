/** What an object of a day's folder is: `_SUCCESS`, a JSON manifest, or data. Anything else is ignored. */
type LandedKind = "success" | "manifest" | "csv" | "parquet";

/** The day that a folder of the landing bucket holds. */
export interface LandingFolder {
  readonly table: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  /** The civil day, `2026-03-01`. */
  readonly date: string;
}

/** An object in a day's folder. */
export interface LandingPath {
  readonly folder: LandingFolder;
  /** The name within the folder. */
  readonly file: string;
  readonly kind: LandedKind;
}

const PATH = /^landing\/([a-z][a-z0-9_]*)\/([A-Z]{3})\/(\d{4}-\d{2}-\d{2})\/([^/]+)$/;

/** Returns what an object's name says: `landing/{table}/{country}/{date}/{file}`. Undefined for other names, and for files that are no part of a delivery. */
export function parseLandingPath(name: string): LandingPath | undefined {
  const [, table, country, date, file] = PATH.exec(name) ?? [];
  if (table === undefined || country === undefined || date === undefined || file === undefined || !isDate(date)) return undefined;
  const kind = kindOf(file);
  return kind && { folder: { table, country, date }, file, kind };
}

/** Returns the prefix of a folder's objects. */
export function folderPrefix({ table, country, date }: LandingFolder): string {
  return `landing/${table}/${country}/${date}/`;
}

/** Returns the prefix under which what a manifest brought is quarantined. `manifest` is its generation, so that no two meet. */
export function quarantinePrefix({ table, country, date }: LandingFolder, manifest: string): string {
  return `quarantine/${table}/${country}/${date}/${manifest}/`;
}

function kindOf(file: string): LandedKind | undefined {
  if (file === "_SUCCESS") return "success";
  // Names with these beginnings are what Spark and Hadoop leave beside the data.
  if (/^[._]/.test(file)) return undefined;
  if (file.endsWith(".json")) return "manifest";
  if (/\.csv(\.gz)?$/.test(file)) return "csv";
  return file.endsWith(".parquet") ? "parquet" : undefined;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
