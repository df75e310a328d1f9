import * as v from "valibot";
import { JOB_STATUSES } from "../../../shared/jobs/job-state.ts";
import { listAllJobs } from "../../../shared/jobs/jobs-admin.ts";
import { requireCustomer } from "../find.ts";
import { count, text } from "../options.ts";
import { table } from "../print.ts";
import { defineVerb } from "../verb.ts";
import { jobJson, jobRow } from "./describe.ts";

const LIMIT = 50;

export default defineVerb({
  words: "",
  more: `  --status STATUS      ${JOB_STATUSES.join(", ")}
  --customer UID       jobs of one customer
  --limit N            the newest N jobs (default: ${LIMIT})
`,
  options: {
    status: v.optional(v.picklist(JOB_STATUSES, `must be one of ${JOB_STATUSES.join(", ")}`)),
    customer: text,
    limit: count,
  },
  run: async (_words, { status, customer, limit = LIMIT }, session) => {
    const { db, note } = session;
    const uid = customer === undefined ? undefined : (await requireCustomer(session, customer)).uid;
    const jobs = await listAllJobs(db, { uid, status, limit }, (_severity, message, fields) =>
      note(`${message}: ${JSON.stringify(fields)}`),
    );
    return { json: { jobs: jobs.map(jobJson) }, lines: table(jobs.map(jobRow)) };
  },
});
