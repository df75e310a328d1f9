import { classifyError } from "../google/classify-error.ts";
import type { IdempotencyKey, JobDraft, Submission } from "./submit-jobs.ts";

/** How many submissions one transaction takes. With the longest lists of ids they stay below Firestore's 10 MiB per request. */
const TOGETHER_MAX = 16;
/** How long waiting submissions wait for a transaction before the next one starts: a lost response must not block a customer. */
const WAIT_MS_MAX = 4000;

/** The refusals that whoever waits would get, too. */
const REFUSES_ALL: ReadonlySet<Submission["outcome"]> = new Set(["tooManyJobs", "tooMuchContention"]);

interface Waiting {
  readonly draft: JobDraft;
  readonly resolve: (submission: Submission | Promise<Submission>) => void;
  readonly reject: (error: unknown) => void;
}

interface SubmissionStore {
  /** Stores submissions of one customer in order, in one transaction, and returns the outcome of each. */
  readonly store: (uid: string, drafts: readonly JobDraft[]) => Promise<readonly Submission[]>;
  readonly find: (uid: string, now: Date, idempotency: IdempotencyKey) => Promise<Submission | undefined>;
}

/**
 * Queues submissions per customer. Each changes the customer's counts, so concurrent transactions would only conflict until Firestore
 * aborts them. While one transaction runs, new submissions wait, then share the next. Customers do not wait for one another. A refusal as
 * `tooManyJobs` or `tooMuchContention` applies to all that waited then, so a thousand submissions cost a few reads.
 */
export function createSubmissionQueue({ store, find }: SubmissionStore): (uid: string, draft: JobDraft) => Promise<Submission> {
  const queues = new Map<string, Waiting[]>();

  const refuse = async (uid: string, { now, idempotency }: JobDraft, refusal: Submission): Promise<Submission> =>
    (idempotency && (await find(uid, now, idempotency))) ?? refusal;

  const serveNext = async (uid: string, line: Waiting[]): Promise<void> => {
    const group = line.splice(0, TOGETHER_MAX);
    // Submissions that arrive during the transaction are not refused with it: a slot may have become free since.
    const behind = line.length;
    try {
      const submissions = await store(
        uid,
        group.map(({ draft }) => draft),
      );
      for (const [index, submission] of submissions.entries()) group[index]?.resolve(submission);
      const last = submissions.at(-1);
      if (!last || !REFUSES_ALL.has(last.outcome)) return;
      for (const { draft, resolve } of line.splice(0, behind)) resolve(refuse(uid, draft, last));
    } catch (error) {
      // If Firestore does not respond, the others would wait in vain, and be served when their clients have left.
      const others = classifyError(error) === "retryable" ? line.splice(0, behind) : [];
      for (const { reject } of [...group, ...others]) reject(error);
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

/** Waits for a promise that never rejects, at most WAIT_MS_MAX. */
async function waitAtMost(promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS_MAX).unref();
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
