import { classifyError } from "../google/classify-error.ts";
import type { IdempotencyKey, JobDraft, Submission } from "./submit-jobs.ts";

/** How many submissions one transaction takes: with the longest lists of ids they are below Firestore's 10 MiB of one request. */
const TOGETHER_MAX = 16;
/** How long those behind wait for a transaction before they go beside it: one whose answer got lost must not hold up a customer. */
const WAIT_MS_MAX = 4000;

interface Waiting {
  readonly draft: JobDraft;
  readonly resolve: (submission: Submission | Promise<Submission>) => void;
  readonly reject: (fault: unknown) => void;
}

interface Ways {
  /** Stores submissions of one customer in their order, in one transaction: what each has come to. */
  readonly store: (uid: string, drafts: readonly JobDraft[]) => Promise<readonly Submission[]>;
  readonly find: (uid: string, now: Date, idempotency: IdempotencyKey) => Promise<Submission | undefined>;
}

/**
 * Submissions as they come, in one line for each customer: every one changes that customer's counts, so that many transactions at once would only
 * lose to one another until Firestore gives up on them. While one is under way those who come wait, and then go together; customers do not wait for
 * one another. What is refused for the number of unfinished jobs, or of contenders, is refused to all who waited then: a thousand cost a few reads.
 */
export function createSubmissionQueue({ store, find }: Ways): (uid: string, draft: JobDraft) => Promise<Submission> {
  const queues = new Map<string, Waiting[]>();

  const refuse = async (uid: string, { now, idempotency }: JobDraft, refusal: Submission): Promise<Submission> =>
    (idempotency && (await find(uid, now, idempotency))) ?? refusal;

  const serveNext = async (uid: string, line: Waiting[]): Promise<void> => {
    const group = line.splice(0, TOGETHER_MAX);
    // Who comes while it is under way may do so after a place became free: that one is asked for anew.
    const behind = line.length;
    try {
      const submissions = await store(
        uid,
        group.map(({ draft }) => draft),
      );
      for (const [index, submission] of submissions.entries()) group[index]?.resolve(submission);
      const last = submissions.at(-1);
      if (last?.outcome !== "too-many" && last?.outcome !== "tooMuchContention") return;
      for (const { draft, resolve } of line.splice(0, behind)) resolve(refuse(uid, draft, last));
    } catch (fault) {
      for (const { reject } of group) reject(fault);
      // What does not answer this one would let the others wait in vain, and be served when nobody waits for their answers any more.
      if (classifyError(fault) === "retryable") for (const { reject } of line.splice(0, behind)) reject(fault);
    }
  };

  const serve = async (uid: string, line: Waiting[]): Promise<void> => {
    while (line.length > 0) await waitAtMost(serveNext(uid, line));
    queues.delete(uid);
  };

  return (uid, draft) =>
    new Promise((resolve, reject) => {
      const line = queues.get(uid) ?? [];
      line.push({ draft, resolve, reject });
      if (queues.has(uid)) return;
      queues.set(uid, line);
      void serve(uid, line);
    });
}

/** Waits for a promise, which never fails, as long as patience lasts. */
async function waitAtMost(promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const impatient = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS_MAX).unref();
  });
  await Promise.race([promise, impatient]);
  clearTimeout(timer);
}
