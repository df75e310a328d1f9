import { JobListQuery, JobListResponse } from "../../shared/aggregation/job-list-schemas.ts";
import { statusResponse } from "../../shared/aggregation/status-response.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { decodeListCursor, encodeListCursor } from "../../shared/http/list-cursor.ts";
import { JobId } from "../../shared/jobs/job-id.ts";
import { openJobReader } from "../../shared/jobs/jobs.ts";
import { PRODUCT_NAMES } from "../../shared/products/catalogue.ts";

export default defineEndpoint({
  file: "aggregation/jobs",
  api: "data",
  method: "GET",
  path: "/data-agg/jobs",
  summary: "List the customer's jobs, newest first",
  description:
    "Every key of the customer sees the jobs of its countries, whichever key submitted them. Results are removed after 30 days; their jobs stay in the list as `expired`.",
  auth: {},
  params: noInput,
  query: JobListQuery,
  body: noInput,
  responses: { 200: JobListResponse },
  dependencies: (config) => ({ jobs: openJobReader(config) }),
  handler: async ({ query, caller }, { jobs }) => {
    const { status, agg_type: product, limit, cursor } = query;
    const after = cursor === undefined ? undefined : decodeListCursor(cursor, JobId);
    const found = await jobs.list(caller.uid, { status, product, countries: caller.countries, limit, after });
    const page = found.jobs
      .filter(({ request }) => PRODUCT_NAMES.includes(request.agg_type))
      .map((job) => {
        const { agg_type, country_code, full } = job.request;
        return { ...statusResponse(job), agg_type, country_code, full, submitted_by: job.keyLabel };
      });
    return reply(200, { jobs: page, next_cursor: found.next ? encodeListCursor(found.next) : null });
  },
});
