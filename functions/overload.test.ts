import * as v from "valibot";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Answer, call, keyOf, newCustomer } from "../infra/testing/service.ts";
import { DEFAULT_LIMITS } from "../shared/accounts/customers.ts";
import { SubmitResponse } from "../shared/aggregation/job-schemas.ts";
import { firestore } from "../shared/google/firestore.ts";
import { Problem } from "../shared/http/problem.ts";
import { isOver } from "../shared/jobs/job-state.ts";
import { type Job, openJobs } from "../shared/jobs/jobs.ts";
import { config } from "../shared/runtime/config.ts";

const CROWD = 1000;
const FEW = 10;
/** Fewer jobs than a customer may have by default, because each that is accepted runs. */
const UNFINISHED_JOBS = 60;
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };
const jobs = openJobs(config());

interface Submitter {
  readonly uid: string;
  readonly key: string;
}

async function submitter(): Promise<Submitter> {
  const customer = await newCustomer({ limits: { unfinishedJobs: UNFINISHED_JOBS } });
  return { uid: customer.uid, key: keyOf(customer) };
}

function submit({ key }: Submitter): Promise<Answer> {
  return call("data", "POST", "/data-agg", { key, body: odm });
}

function accepted(answers: readonly Answer[]): string[] {
  return answers.flatMap(({ status, body }) => (status === 202 ? [v.parse(SubmitResponse, body).job_id] : []));
}

/** All jobs of a customer, once they are finished. */
function ended({ uid }: Submitter): Promise<readonly Job[]> {
  return vi.waitFor(
    async () => {
      const { jobs: all } = await jobs.list(uid, { limit: CROWD });
      expect(all.filter((job) => !isOver(job))).toEqual([]);
      return all;
    },
    { timeout: 90_000, interval: 200 },
  );
}

async function countsOf({ uid }: Submitter): Promise<unknown> {
  const data = (await firestore(config()).collection("customers").doc(uid).get()).data();
  return { running: data?.running, waiting: data?.waiting };
}

/** Submits the crowd's jobs at once, with the other customer's in between, and returns all outcomes. */
async function overload() {
  const [crowded, other] = await Promise.all([submitter(), submitter()]);
  const some = (of: Submitter, count: number) => Array.from({ length: count }, () => submit(of));
  const before = some(crowded, CROWD / 2);
  const amidst = some(other, FEW);
  const behind = some(crowded, CROWD / 2);
  const [many, few] = await Promise.all([Promise.all([...before, ...behind]), Promise.all(amidst)]);
  const [manyJobs, fewJobs] = await Promise.all([ended(crowded), ended(other)]);
  return { crowded, other, many, few, manyJobs, fewJobs };
}

describe("a thousand concurrent submissions of one customer, with ten of another in between", () => {
  let shown: Awaited<ReturnType<typeof overload>>;

  beforeAll(async () => {
    shown = await overload();
  });

  it("are each accepted, or rejected with when and how to retry", () => {
    const { many } = shown;
    const refused = many.filter(({ status }) => status !== 202);
    expect(many.length - refused.length).toBeGreaterThanOrEqual(UNFINISHED_JOBS);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, body } of refused) {
      expect(status, JSON.stringify(body)).toBe(429);
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(v.parse(Problem, body)).toMatchObject({
        code: "resource_exhausted",
        detail: expect.stringMatching(/wait until some end|retry after the seconds|retry this request/),
      });
    }
  });

  it("all complete if accepted, no others do, and all slots are free again", async () => {
    const { crowded, other, many, few, manyJobs, fewJobs } = shown;
    for (const [answers, all] of [
      [many, manyJobs],
      [few, fewJobs],
    ] as const) {
      expect(all.map(({ id }) => id).sort()).toEqual(accepted(answers).sort());
      expect(all.filter(({ status, attempt }) => status !== "completed" || attempt !== 1)).toEqual([]);
    }
    for (const of of [crowded, other]) expect(await countsOf(of)).toEqual({ running: 0, waiting: 0 });
  });

  it("do not block the other customer's: all are accepted, get slots at once, and finish while the crowd's still wait", () => {
    const { few, manyJobs, fewJobs } = shown;
    expect(few.map(({ status }) => status)).toEqual(Array(FEW).fill(202));
    const placedAtOnce = fewJobs.filter(({ createdAt, deadlineAt }) => deadlineAt?.getTime() === newDeadline(createdAt));
    expect(placedAtOnce.length).toBeGreaterThanOrEqual(DEFAULT_LIMITS.runningJobs);
    const lastOfFew = Math.max(...fewJobs.map(({ finishedAt }) => Number(finishedAt)));
    const stillWaiting = manyJobs.filter(({ startedAt }) => Number(startedAt) > lastOfFew);
    expect(stillWaiting.length).toBeGreaterThan(DEFAULT_LIMITS.runningJobs);
  });
});

/** The latest finish time of a job that had its slot from the beginning. */
function newDeadline(createdAt: Date): number {
  return createdAt.getTime() + 6 * 3_600_000;
}
