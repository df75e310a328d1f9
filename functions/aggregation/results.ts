import * as v from "valibot";
import { exportLocationOf } from "../../shared/aggregation/export-manifest.ts";
import { browserPath, exportPrefix } from "../../shared/aggregation/export-path.ts";
import { ownedJob, resultOf } from "../../shared/aggregation/owned-job.ts";
import { type ExportResults, JobResults, PendingResults, type PreviewResults } from "../../shared/aggregation/result-schemas.ts";
import { isSuperseded, openDataVersions } from "../../shared/aggregation/superseded.ts";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openTableState } from "../../shared/google/table-state.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { JobIdInPath } from "../../shared/jobs/job-id.ts";
import type { JobResult } from "../../shared/jobs/job-result.ts";
import { type Job, openJobReader } from "../../shared/jobs/jobs.ts";
import { productOf } from "../../shared/products/catalogue.ts";
import { FullQuery } from "../../shared/products/request-fields.ts";
import { kindOf } from "../../shared/products/result-meta.ts";

export default defineEndpoint({
  file: "aggregation/results",
  api: "data",
  method: "GET",
  path: "/data-agg/results/{job_id}",
  summary: "Get the results of a job: a preview, or the location of its export",
  description:
    "While the job is not over, the status is 202: repeat after `Retry-After`. A job with `full` false has up to 100 rows in `preview`; one with `full` true has the folder of its export.",
  auth: {},
  params: v.strictObject({ job_id: JobIdInPath }),
  query: v.strictObject({ full: v.optional(FullQuery) }),
  body: noInput,
  responses: { 200: JobResults, 202: PendingResults },
  refusals: ["job_failed", "job_cancelled", "expired"],
  responseHeaders: { 202: ["Retry-After"] },
  dependencies: (config, now) => ({
    jobs: openJobReader(config),
    readVersions: openDataVersions(openTableState(config), openInteractiveWarehouse(config, now)),
  }),
  handler: async ({ params, caller }, { jobs, readVersions }, { config, log }) => {
    const job = await ownedJob(jobs, params.job_id, caller);
    if (job.status === "queued" || job.status === "running")
      return reply(202, { job_id: job.id, kind: "pending" as const, status: job.status, progress: job.progress }, { "retry-after": "1" });
    const result = resultOf(job);
    const superseded = await isSuperseded(job, countries(), readVersions, log);
    return reply(200, { ...completed(job, result, config.exportBucket), superseded });
  },
});

type Results = Omit<v.InferInput<typeof PreviewResults>, "superseded"> | Omit<v.InferInput<typeof ExportResults>, "superseded">;

function completed(job: Job, result: JobResult, bucket: string): Results {
  const { id, request } = job;
  const common = {
    job_id: id,
    status: "completed",
    country_code: request.country_code,
    total_rows: result.totalRows,
    meta: result.meta,
    data_versions: result.dataVersions,
    warnings: result.warnings,
  } as const;
  if (result.files === null)
    return {
      ...common,
      kind: kindOf(request.agg_type),
      preview: v.parse(v.array(productOf(request).storedRow), JSON.parse(result.preview ?? "[]")),
    };
  const location = exportLocationOf(job);
  const where = { http_path: browserPath(bucket, location), gs_uri: `gs://${bucket}/${exportPrefix(location)}` };
  return { ...common, kind: "export", ...where, files: result.files };
}
