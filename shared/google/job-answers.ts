import * as v from "valibot";

/** A 64-bit number, which BigQuery's REST API sends as a string. */
export const Int64 = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));

/** The state of a job: the parts of `jobs.get` that `JOB_STATE_FIELDS` selects. */
export const JobState = v.object({
  status: v.object({ state: v.string(), errorResult: v.optional(v.object({ reason: v.string(), message: v.optional(v.string(), "") })) }),
  statistics: v.optional(
    v.object({
      query: v.optional(
        v.object({
          queryPlan: v.optional(
            v.array(v.object({ parallelInputs: v.optional(v.string(), "0"), completedParallelInputs: v.optional(v.string(), "0") })),
            [],
          ),
        }),
      ),
    }),
  ),
});

/** What a job has taken: the parts that `JOB_BILL_FIELDS` selects. Under a reservation nothing is billed by bytes: then those processed count. */
export const JobBill = v.object({
  status: v.object({ state: v.string() }),
  statistics: v.object({
    creationTime: v.optional(Int64, 0),
    endTime: v.optional(Int64),
    totalBytesProcessed: v.optional(Int64, 0),
    query: v.optional(
      v.object({ totalBytesBilled: v.optional(Int64, 0), exportDataStatistics: v.optional(v.object({ rowCount: v.optional(Int64, 0) })) }),
      {},
    ),
  }),
});

/**
 * The members of both. A whole job also has its statement, its parameters and a plan with all steps, which the client would parse and copy.
 * Source: https://cloud.google.com/bigquery/docs/api-performance#partial-response
 */
export const JOB_STATE_FIELDS = "status(state,errorResult),statistics/query/queryPlan(parallelInputs,completedParallelInputs)";
export const JOB_BILL_FIELDS =
  "status/state,statistics(creationTime,endTime,totalBytesProcessed,query(totalBytesBilled,exportDataStatistics/rowCount))";
