import * as v from "valibot";
import { Cursor, limitUpTo, NextCursor } from "../http/paging.ts";
import { PRODUCT_NAMES } from "../products/catalogue.ts";
import { JobStatus, StatusResponse } from "./job-schemas.ts";

/** The query of `GET /data-agg/jobs`. */
export const JobListQuery = v.strictObject({
  status: v.optional(JobStatus),
  agg_type: v.optional(v.picklist(PRODUCT_NAMES)),
  limit: v.optional(limitUpTo(100, "1 to 100, 20 when left out"), "20"),
  cursor: v.optional(Cursor),
});

/** A page of the customer's jobs, newest first. */
export const JobListResponse = v.pipe(
  v.strictObject({
    jobs: v.array(
      v.pipe(
        v.strictObject({
          ...StatusResponse.entries,
          agg_type: v.picklist(PRODUCT_NAMES),
          country_code: v.string(),
          full: v.boolean(),
          submitted_by: v.pipe(v.string(), v.description("The label of the key that submitted it")),
        }),
        v.title("ListedJob"),
      ),
    ),
    next_cursor: NextCursor,
  }),
  v.title("JobList"),
);
