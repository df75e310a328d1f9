import { createHash } from "node:crypto";
import { acceptRequest } from "../../shared/aggregation/accept-request.ts";
import { dispatch } from "../../shared/aggregation/dispatch.ts";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { openReservedBytes } from "../../shared/aggregation/reserved-bytes.ts";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { openLeasedBytes } from "../../shared/budgets/leased-bytes.ts";
import { budgetRefusal } from "../../shared/budgets/refusal.ts";
import { unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { unknownKey } from "../../shared/http/admit.ts";
import type { Caller } from "../../shared/http/caller.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { deprecation } from "../../shared/http/deprecation.ts";
import { ServiceError } from "../../shared/http/errors.ts";
import { reservation } from "../../shared/jobs/job-bytes.ts";
import { openJobQueue } from "../../shared/jobs/job-queue.ts";
import { newJob } from "../../shared/jobs/job-state.ts";
import { type IdempotencyKey, type Job, openJobs } from "../../shared/jobs/jobs.ts";
import type { Submission } from "../../shared/jobs/submit-jobs.ts";
import { AggregationBody } from "../../shared/products/catalogue.ts";
import { secondsLeftOfUtcDay } from "../../shared/runtime/time.ts";
import { traceAttributes } from "../../shared/tracing/span.ts";

/** The retention of an Idempotency-Key. */
const IDEMPOTENCY_MS = 86_400_000;

export default defineEndpoint({
  file: "aggregation/submit",
  api: "data",
  method: "POST",
  path: "/data-agg",
  summary: "Submit an aggregation job",
  description:
    "The job runs in the background: poll `status_url`, then read `results_url`. Send an `Idempotency-Key` to be able to repeat the request safely.",
  auth: {},
  checksKey: "in its transaction",
  params: noInput,
  query: noInput,
  body: AggregationBody,
  faults: (request) => unknownCountries(request, countries()),
  requestHeaders: ["Idempotency-Key"],
  responses: { 202: SubmitResponse },
  refusals: ["not_found"],
  responseHeaders: { 202: ["Location", "Deprecation"] },
  opensEarly: true,
  dependencies: (config, now) => ({
    jobs: openJobs(config),
    queue: openJobQueue(config),
    warehouse: openInteractiveWarehouse(config, now),
    reservedBytes: openReservedBytes(config),
    leasedBytes: openLeasedBytes(config),
  }),
  handler: async (
    { body, caller, key: apiKey },
    { jobs, queue, warehouse, reservedBytes, leasedBytes },
    { now, newId, header, log, bestEffort },
  ) => {
    const { uid, keyLabel } = caller;
    const id = newId();
    const at = now();
    const accepted = acceptRequest(body, caller, countries(), at);
    const key = idempotencyKey(header("idempotency-key"), body.body, at);
    // A repeated request must neither depend on a new lookup nor pay for one.
    const known = key && accepted.needsLookup ? await jobs.find(uid, at, key) : undefined;
    const create = async () => {
      const prepared = await accepted.resolve({ query: warehouse.queryRecent }, { customer: uid, job: id, product: body.agg_type });
      const [reserved, leased] = await Promise.all([reservedBytes(prepared, uid, at, log), leasedBytes.on(uid, at)]);
      const bytes = reservation(at, reserved);
      // Not within `make`, which may run in the transaction of another request.
      const trace = traceAttributes();
      const make = (placed: boolean) => ({
        ...{ ...newJob(at, placed, bytes), ...trace, id, uid, keyLabel },
        ...{ request: prepared.request, result: null },
      });
      return jobs.submit(uid, { now: at, make, idempotency: key, actor: apiKey, leased });
    };
    if (known) await apiKey.confirm();
    const submission = known ?? (await create());
    const job = acceptedJob(submission, caller, at);
    if (submission.outcome === "created" && job.dispatch) await bestEffort(dispatch(job, queue, log));
    const statusUrl = `/data-agg/status/${job.id}`;
    const answer = { job_id: job.id, status: job.status, status_url: statusUrl, results_url: `/data-agg/results/${job.id}` };
    return reply(202, answer, { location: statusUrl, ...deprecation(body) });
  },
});

/** Returns the job of a submission. Throws why there is none, or none that the caller's key covers. */
function acceptedJob(submission: Submission, { countries }: Pick<Caller, "countries">, now: Date): Job {
  switch (submission.outcome) {
    case "created":
    case "repeated":
      // The same body without a country means another country to a key with another default.
      if (!countries.includes(submission.job.request.country_code)) throw otherBody();
      return submission.job;
    case "mismatch":
      throw otherBody();
    case "keyRefused":
      throw submission.refusal;
    // The customer was deleted after its key was found, so the key is unknown now.
    case "customerDeleted":
      throw unknownKey();
    case "tooMuchContention":
      throw exhausted("Too many of your jobs are submitted or finish at the same time; retry this request", 2);
    case "tooManyJobs":
      throw exhausted(`At most ${submission.limit} jobs may be unfinished at a time; wait until some end`, 30);
    case "tooManyExports":
      throw exhausted(`At most ${submission.limit} exports may be submitted on one day (UTC)`, secondsLeftOfUtcDay(now));
    case "tooManyBytes":
      throw budgetRefusal(submission, now);
  }
}

function otherBody(): ServiceError {
  return new ServiceError("idempotency_mismatch", "This Idempotency-Key was used with another body in the last 24 hours");
}

function exhausted(detail: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError("resource_exhausted", detail, { headers: { "retry-after": String(retryAfterSeconds) } });
}

/** Compares request bodies, not what they resolve to: a window that ends now resolves differently each time. */
function idempotencyKey(key: string | undefined, body: object, now: Date): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ServiceError("invalid_argument", "An Idempotency-Key is 1 to 255 printable ASCII characters");
  const requestHash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  return { key, requestHash, expireAt: new Date(now.getTime() + IDEMPOTENCY_MS) };
}
