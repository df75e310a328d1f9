import type * as v from "valibot";
import type { ExportFile } from "../jobs/job-result.ts";
import type { Job } from "../jobs/jobs.ts";
import type { JobRequest } from "../products/catalogue.ts";
import { exportFolder } from "../products/export-folder.ts";
import type { Column } from "../products/product-query.ts";
import type { DataVersion, ResultMeta } from "../products/result-meta.ts";
import type { ExportLocation } from "./export-path.ts";

/** Returns the location of a job's export. */
export function exportLocationOf({ uid, id, request }: Pick<Job, "uid" | "id" | "request">): ExportLocation {
  return { uid, jobId: id, folder: exportFolder(request) };
}

/** `manifest.json`: the content of an export, its data versions, and what was withheld. */
export interface Manifest {
  readonly job_id: string;
  readonly agg_type: string;
  readonly country_code: string;
  readonly format: string;
  readonly attempt: number;
  readonly files: readonly ExportFile[];
  readonly total_rows: number;
  readonly columns: readonly Column[];
  /** As `POST /data-agg` takes it. */
  readonly request: v.InferOutput<typeof JobRequest>;
  readonly data_versions: readonly DataVersion[];
  readonly meta: ResultMeta;
  readonly created_at: string;
}
