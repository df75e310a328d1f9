import * as v from "valibot";
import { openCustomerDetails } from "../../shared/accounts/customers-admin.ts";
import { openSignedUrls } from "../../shared/accounts/signed-urls.ts";
import { exportLocationOf } from "../../shared/aggregation/export-manifest.ts";
import { exportPrefix } from "../../shared/aggregation/export-path.ts";
import { pageOfFiles, UrlsBody, UrlsResponse } from "../../shared/aggregation/export-urls.ts";
import { ownedJob, resultOf } from "../../shared/aggregation/owned-job.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { ServiceError } from "../../shared/http/errors.ts";
import { JobIdInPath } from "../../shared/jobs/job-id.ts";
import { openJobReader } from "../../shared/jobs/jobs.ts";

export default defineEndpoint({
  file: "aggregation/urls",
  api: "data",
  method: "POST",
  path: "/data-agg/results/{job_id}/urls",
  summary: "Sign URLs that read the files of a job without a token, until they expire",
  description:
    "For browsers and tools that send no headers, and for keys that are limited in countries. A URL outlives the revocation of the key until " +
    "it expires; suspending the customer ends it within minutes.",
  auth: {},
  params: v.strictObject({ job_id: JobIdInPath }),
  query: noInput,
  body: v.optional(UrlsBody, {}),
  responses: { 200: UrlsResponse },
  refusals: ["conflict", "job_failed", "job_cancelled", "expired"],
  hasCredentials: true,
  dependencies: (config) => ({ jobs: openJobReader(config), urls: openSignedUrls(config), customers: openCustomerDetails(config) }),
  handler: async ({ params, body, caller }, { jobs, urls, customers }, { now, audit }) => {
    const job = await ownedJob(jobs, params.job_id, caller);
    const { files } = resultOf(job);
    if (files === null)
      throw new ServiceError("conflict", "The job has no files: it was submitted without full, so its rows are in its results");
    const customer = await customers(caller.uid);
    const page = pageOfFiles(files, body.files, body.cursor);
    const from = new Date(Math.floor(now().getTime() / 1000) * 1000);
    const until = new Date(from.getTime() + body.expires_in * 1000);
    const prefix = exportPrefix(exportLocationOf(job));
    const names = page.files.map(({ name }) => prefix + name);
    const signed = await urls.sign(customer, names, { from, until });
    audit("url.sign", `${job.id} (${names.length})`);
    const listed = page.files.map((file, index) => ({ ...file, url: signed[index] ?? "", expires_at: until.toISOString() }));
    return reply(200, { urls: listed, next_cursor: page.next });
  },
});
