import { createHash } from "node:crypto";
import { openTaskQueue } from "../google/cloud-tasks.ts";
import type { Config } from "../runtime/config.ts";
import type { JobMessage } from "./job-message.ts";

/** The queue, for deliveries of jobs. */
export interface JobQueue {
  /** Hands one delivery of a job to the queue, not before `at`. The same delivery again is no second task. */
  readonly enqueue: (message: JobMessage, at?: Date) => Promise<void>;
}

/** The topic, for deliveries that the queue has lost: it takes the same one as often as it is given. */
export interface JobTopic {
  /** Publishes one delivery of a job, past the queue. */
  readonly publish: (message: JobMessage) => Promise<void>;
}

/** Cloud Tasks, with one task for each delivery of a job. */
export function openJobQueue(config: Config): JobQueue {
  const queue = openTaskQueue(config);
  return { enqueue: (message, at) => queue.enqueue(taskId(message), message, at) };
}

/** A hash spreads the names: Cloud Tasks slows down on names that share a prefix. */
function taskId({ job_id, attempt, step }: JobMessage): string {
  return createHash("sha256").update(`${job_id}/${attempt}/${step}`).digest("hex").slice(0, 40);
}
