import { statusOf } from "../../shared/aggregation/job-status.ts";
import { defineEndpoint, nothing, reply } from "../../shared/endpoint/define.ts";
import { decodeCursor, encodeCursor } from "../../shared/list-cursor.ts";
import { JobId } from "../../shared/schemas/fields.ts";
import { JobListQuery, JobListResponse } from "../../shared/schemas/job-list.ts";
import { openJobs } from "../../shared/stores/jobs.ts";

export default defineEndpoint({
  file: "aggregation/jobs",
  api: "data",
  method: "GET",
  path: "/data-agg/jobs",
  summary: "List the customer's jobs, newest first",
  auth: {},
  params: nothing,
  query: JobListQuery,
  body: nothing,
  responses: { 200: JobListResponse },
  uses: (config) => ({ jobs: openJobs(config) }),
  handler: async ({ query, caller }, { jobs }) => {
    const { status, agg_type: product, limit, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor, JobId);
    const found = await jobs.list(caller.uid, { status, product, limit, after });
    const page = found.jobs.map((job) => {
      const { agg_type, country_code, full } = job.request;
      return { ...statusOf(job), agg_type, country_code, full };
    });
    return reply(200, { jobs: page, next_cursor: found.next ? encodeCursor(found.next) : null });
  },
});
