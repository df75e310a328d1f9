import type { AggregationRequest } from "../jobs/job-fields.ts";
import type { Job } from "../jobs/jobs.ts";
import type { Column } from "../products/statements.ts";
import { type ExportLocation, exportFolder } from "./export-path.ts";
import type { DataVersion, ExportFile, ResultMeta } from "./schemas.ts";

/** Where the export of a job lies. */
export function exportLocationOf({ uid, id, request }: Pick<Job, "uid" | "id" | "request">): ExportLocation {
  return { uid, jobId: id, folder: exportFolder(request.agg_type, request.activity_type, request.measure) };
}

/** `manifest.json`: what an export holds, from which data, and what was withheld. */
export interface Manifest {
  readonly job_id: string;
  readonly agg_type: string;
  readonly country_code: string;
  readonly format: string;
  readonly attempt: number;
  readonly files: readonly ExportFile[];
  readonly total_rows: number;
  readonly columns: readonly Column[];
  readonly request: AggregationRequest;
  readonly data_versions: readonly DataVersion[];
  readonly meta: ResultMeta;
  readonly created_at: string;
}
