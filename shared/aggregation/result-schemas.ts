import * as v from "valibot";
import { WholeNumber } from "../http/fields.ts";
import { JobId } from "../jobs/job-id.ts";
import { ExportFile } from "../jobs/job-result.ts";
import { PRODUCTS } from "../products/catalogue.ts";
import type { Product } from "../products/product.ts";
import { DataVersions, Kind, kindOf, ResultMeta, schemaName } from "../products/result-meta.ts";
import { Warnings } from "../products/result-warnings.ts";

/** Null when the warehouse did not answer. The results are the same either way. */
const Superseded = v.pipe(v.nullable(v.boolean()), v.description("Whether data of the window has been loaded since the job read it"));

/** Returns the schema of the results of a product's job without `full`. */
function previewResults({ name, row }: Product) {
  return v.pipe(
    v.strictObject({
      job_id: JobId,
      kind: Kind(kindOf(name)),
      status: v.literal("completed"),
      country_code: v.string(),
      preview: v.pipe(v.array(row), v.maxLength(100)),
      total_rows: v.pipe(WholeNumber, v.description("Published rows of the whole result; preview holds the first 100")),
      meta: ResultMeta,
      data_versions: DataVersions,
      warnings: Warnings,
      superseded: Superseded,
    }),
    v.title(schemaName(name, "Results")),
  );
}

const OfProducts = PRODUCTS.map(previewResults);
/** The results of a job without `full`, of any product. */
export const PreviewResults = v.variant("kind", OfProducts);

export const ExportResults = v.pipe(
  v.strictObject({
    job_id: JobId,
    kind: Kind("export"),
    status: v.literal("completed"),
    country_code: v.string(),
    http_path: v.string(),
    gs_uri: v.string(),
    files: v.array(ExportFile),
    total_rows: WholeNumber,
    meta: ResultMeta,
    data_versions: DataVersions,
    warnings: Warnings,
    superseded: Superseded,
  }),
  v.title("ExportResults"),
);

/** The results of a completed job. */
export const JobResults = v.pipe(
  v.variant("kind", [...OfProducts, ExportResults]),
  v.metadata({ title: "JobResults", discriminator: { propertyName: "kind" } }),
);

export const PendingResults = v.pipe(
  v.strictObject({
    job_id: JobId,
    kind: Kind("pending"),
    status: v.picklist(["queued", "running"]),
    progress: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  }),
  v.title("PendingResults"),
);
