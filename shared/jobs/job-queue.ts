import { createHash } from "node:crypto";
import { openTaskQueue } from "../google/cloud-tasks.ts";
import type { Config } from "../runtime/config.ts";
import type { JobMessage } from "./job-message.ts";

/** The queue of job deliveries. */
export interface JobQueue {
  /** Enqueues one delivery of a job, to be sent no earlier than `at`. Idempotent: the same delivery creates no second task. */
  readonly enqueue: (message: JobMessage, at?: Date) => Promise<void>;
}

/** The topic, for deliveries that the queue has lost. It does not deduplicate. */
export interface JobTopic {
  /** Publishes one delivery of a job, bypassing the queue. */
  readonly publish: (message: JobMessage) => Promise<void>;
}

/** Opens the Cloud Tasks queue, with one task for each delivery of a job. */
export function openJobQueue(config: Config): JobQueue {
  const queue = openTaskQueue(config);
  return { enqueue: (message, at) => queue.enqueue(taskId(message), message, at) };
}

/** Returns the task's name. It is a hash because Cloud Tasks slows down on names that share a prefix. */
function taskId({ job_id, attempt, step }: JobMessage): string {
  return createHash("sha256").update(`${job_id}/${attempt}/${step}`).digest("hex").slice(0, 40);
}
