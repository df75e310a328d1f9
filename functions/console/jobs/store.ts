import { computed, effect, signal } from "@preact/signals";
import { fetchStatus, type JobStatus, type ListedJob, listJobs, UNFINISHED } from "../api/jobs.ts";
import { onSignOut, session } from "../session/session.ts";

export const jobs = signal<readonly ListedJob[] | undefined>(undefined);
/** The job that is open, if the list does not show it. */
export const unlisted = signal<JobStatus | undefined>(undefined);
export const jobsFault = signal<unknown>(undefined);
export const nextCursor = signal<string | undefined>(undefined);
export const filter = signal<{ readonly status?: string; readonly agg_type?: string }>({});

/** How often unfinished jobs are asked about. */
const POLL_MS = 2000;
/** How many of them are asked about at a time. The next ones follow as these finish. */
const POLLED_MAX = 5;
const readers = signal(0);

onSignOut(() => {
  jobs.value = undefined;
  unlisted.value = undefined;
  nextCursor.value = undefined;
  filter.value = {};
});

/** Reads the newest jobs. */
export function loadJobs(): Promise<void> {
  return loadPage(undefined);
}

/** Reads the jobs before those that are shown. */
export async function loadMore(): Promise<void> {
  const cursor = nextCursor.peek();
  if (cursor !== undefined) await loadPage(cursor);
}

/** Reads the first page of the chosen jobs, or adds the one at a cursor, unless others were chosen by the time it comes. */
async function loadPage(cursor: string | undefined): Promise<void> {
  const asked = filter.peek();
  try {
    const page = await listJobs(cursor === undefined ? asked : { ...asked, cursor });
    if (filter.peek() !== asked) return;
    jobs.value = cursor === undefined ? page.jobs : [...(jobs.peek() ?? []), ...page.jobs];
    nextCursor.value = page.next_cursor ?? undefined;
    jobsFault.value = undefined;
  } catch (error) {
    if (filter.peek() === asked) jobsFault.value = error;
  }
}

/** Keeps the states of unfinished jobs fresh until the returned function is called. */
export function readJobs(): () => void {
  readers.value++;
  return () => {
    readers.value--;
  };
}

export function isFinished({ status }: Pick<JobStatus, "status">): boolean {
  return !UNFINISHED.includes(status);
}

/** Puts a state in its place in the list, or at the open job. */
export function putStatus(status: JobStatus): void {
  if (unlisted.value?.job_id === status.job_id) unlisted.value = status;
  jobs.value = jobs.value?.map((job) => (job.job_id === status.job_id ? { ...job, ...status } : job));
}

const unfinished = computed((): readonly JobStatus[] =>
  [...(unlisted.value ? [unlisted.value] : []), ...(jobs.value ?? [])].filter((job) => !isFinished(job)),
);

// Only unfinished jobs are asked about, and only while somebody looks.
effect(() => {
  if (readers.value === 0 || !session.value || unfinished.value.length === 0) return undefined;
  const timer = setInterval(() => {
    if (document.hidden) return;
    for (const job of unfinished.peek().slice(0, POLLED_MAX))
      fetchStatus(job.job_id).then(putStatus, (error: unknown) => {
        jobsFault.value = error;
      });
  }, POLL_MS);
  return () => clearInterval(timer);
});
