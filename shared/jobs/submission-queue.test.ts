import { afterEach, describe, expect, it, vi } from "vitest";
import { newJob } from "./job-state.ts";
import type { Job } from "./jobs.ts";
import { createSubmissionQueue } from "./submission-queue.ts";
import type { JobDraft, Submission } from "./submit-jobs.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const TOO_MANY: Submission = { outcome: "tooManyJobs", limit: 200 };
const CONTENDED: Submission = { outcome: "tooMuchContention" };
const MISMATCH: Submission = { outcome: "mismatch" };

afterEach(() => {
  vi.useRealTimers();
});

function jobOf(id: string): Job {
  const request = {
    agg_type: "activities",
    country_code: "EST",
    measure: "stays_count",
    activity_type: "daily",
    geo_type: "grid_1000m",
    geo_ids: null,
    start_time: "2026-11-18T00:00:00.000Z",
    end_time: "2026-11-19T00:00:00.000Z",
    full: false,
    format: "csv",
  } as const;
  return { ...newJob(NOW, false), id, uid: "acme", keyLabel: "main", request, result: null };
}

function draft(id: string, key?: string): JobDraft {
  const idempotency = key === undefined ? undefined : { key, requestHash: "", expireAt: NOW };
  return { now: NOW, make: () => jobOf(id), idempotency, actor: "service", leased: 0 };
}

/** A submission queue over a store that answers on command. Each transaction holds the ids of its submissions. */
function queueOverStore() {
  const transactions: { uid: string; ids: string[]; answer: (submissions?: Submission[]) => void; fail: (error: unknown) => void }[] = [];
  const looked: string[] = [];
  const submit = createSubmissionQueue({
    store: (uid, drafts) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly Submission[]>();
      const jobs = drafts.map(({ make }) => make(false));
      const created = jobs.map((job): Submission => ({ outcome: "created", job }));
      transactions.push({ uid, ids: jobs.map(({ id }) => id), answer: (submissions = created) => resolve(submissions), fail: reject });
      return promise;
    },
    find: async (_uid, _now, { key }) => {
      looked.push(key);
      return key === "known" ? MISMATCH : undefined;
    },
  });
  /** Returns a transaction by its number, from 0, once the queue has advanced as far as it can. */
  const transaction = async (number: number) => {
    await new Promise(setImmediate);
    const found = transactions[number];
    if (!found) throw new Error(`There have been ${transactions.length} transactions`);
    return found;
  };
  return { submit, transactions, transaction, looked };
}

describe("a submission queue", () => {
  it("sends the first submission alone, then those that arrived meanwhile together, in order, at most 16 at once", async () => {
    const { submit, transactions, transaction } = queueOverStore();
    const answers = Array.from({ length: 20 }, (_, index) => submit("acme", draft(`${index}`)));
    expect(transactions.map(({ ids }) => ids)).toEqual([["0"]]);
    (await transaction(0)).answer();
    expect(await answers[0]).toMatchObject({ outcome: "created", job: { id: "0" } });
    expect((await transaction(1)).ids).toEqual(Array.from({ length: 16 }, (_, index) => `${index + 1}`));
    (await transaction(1)).answer();
    expect(await answers[16]).toMatchObject({ job: { id: "16" } });
    (await transaction(2)).answer();
    expect((await Promise.all(answers)).map((answer) => "job" in answer && answer.job.id)).toEqual(answers.map((_, index) => `${index}`));
  });

  it("does not make one customer wait for another", async () => {
    const { submit, transactions } = queueOverStore();
    void submit("acme", draft("stays"));
    const answer = submit("globex", draft("goes"));
    transactions.find(({ uid }) => uid === "globex")?.answer();
    expect(await answer).toMatchObject({ job: { id: "goes" } });
  });

  it.each([TOO_MANY, CONTENDED])(
    "refuses as $outcome all submissions that waited then, except repetitions, and none that arrives later",
    async (refusal) => {
      const { submit, transactions, transaction, looked } = queueOverStore();
      const first = submit("acme", draft("first"));
      const group = Array.from({ length: 16 }, (_, index) => submit("acme", draft(`${index}`)));
      const waiting = [submit("acme", draft("unnamed")), submit("acme", draft("named", "new")), submit("acme", draft("again", "known"))];
      (await transaction(0)).answer();
      const second = await transaction(1);
      // A slot may become free after that transaction has read the counts.
      const late = submit("acme", draft("late"));
      second.answer(group.map(() => refusal));
      expect(await Promise.all([...group, ...waiting])).toEqual([...group.map(() => refusal), refusal, refusal, MISMATCH]);
      expect(looked).toEqual(["new", "known"]);
      (await transaction(2)).answer();
      expect(await Promise.all([first, late])).toMatchObject([{ job: { id: "first" } }, { job: { id: "late" } }]);
      expect(transactions.map(({ ids }) => ids.length)).toEqual([1, 16, 1]);
    },
  );

  it("fails all waiting submissions when a dependency is down, only the group for another error, and continues", async () => {
    const down = Object.assign(new Error("down"), { code: 14 });
    const broken = new Error("one of these is no submission");
    for (const [error, outcome] of [
      [down, "rejected"],
      [broken, "fulfilled"],
    ] as const) {
      const { submit, transactions, transaction } = queueOverStore();
      const all = Array.from({ length: 18 }, (_, index) => submit("acme", draft(`${index}`)));
      const settled = Promise.allSettled(all);
      (await transaction(0)).answer();
      await all[0];
      (await transaction(1)).fail(error);
      if (outcome === "fulfilled") (await transaction(2)).answer();
      expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", ...Array(16).fill("rejected"), outcome]);
      const number = transactions.length;
      const next = submit("acme", draft("next"));
      (await transaction(number)).answer();
      expect(await next).toMatchObject({ job: { id: "next" } });
    }
  });

  it("continues while a transaction is never answered", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { submit, transaction } = queueOverStore();
    void submit("acme", draft("lost"));
    const behind = submit("acme", draft("behind"));
    await vi.advanceTimersByTimeAsync(4000);
    (await transaction(1)).answer();
    expect(await behind).toMatchObject({ job: { id: "behind" } });
  });
});
