import { findCustomer } from "../../../shared/accounts/customers-admin.ts";
import { fields } from "../print.ts";
import { defineVerb } from "../verb.ts";
import { jobFields, jobJson } from "./describe.ts";
import { jobsOf, replayOf, requireJob } from "./find.ts";

export default defineVerb({
  words: "JOB_ID",
  options: {},
  run: async ([id = ""], _values, session) => {
    const jobs = jobsOf(session);
    const job = await requireJob(jobs, id);
    const again = await replayOf(jobs, job);
    const customer = await findCustomer(session.db, job.uid);
    const named = `${job.uid} (${customer?.name ?? "gone"})`;
    return {
      json: { ...jobJson(job), replayedAs: again?.id ?? null },
      lines: fields(jobFields(job, named, again, session.config.exportBucket)),
    };
  },
});
