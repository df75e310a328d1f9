import { createHash } from "node:crypto";
import { CloudTasksClient } from "@google-cloud/tasks";
import type { JobMessage } from "../jobs/job-message.ts";
import type { Config } from "../runtime/config.ts";
import { classifyError } from "./classify-error.ts";
import { grpcAddress } from "./grpc-address.ts";

export interface TaskQueue {
  /** Hands one delivery of a job to the queue, not before `at`. The same delivery again is no second task. */
  readonly enqueue: (message: JobMessage, at?: Date) => Promise<void>;
}

/** Cloud Tasks: the queue shapes the rate; each task publishes its message to the topic, as the queue's service account. */
export function openTaskQueue(config: Config): TaskQueue {
  const client = new CloudTasksClient({ projectId: config.project, ...grpcAddress(config.addresses.tasks) });
  const parent = client.queuePath(config.project, config.queueRegion, config.queue);
  const url = `${config.addresses.pubsubRest}/v1/projects/${config.project}/topics/${config.topic}:publish`;
  return {
    enqueue: async (message, at) => {
      const data = Buffer.from(JSON.stringify(message)).toString("base64");
      const body = Buffer.from(JSON.stringify({ messages: [{ data }] })).toString("base64");
      try {
        await client.createTask({
          parent,
          task: {
            name: `${parent}/tasks/${taskId(message)}`,
            httpRequest: {
              httpMethod: "POST",
              url,
              headers: { "content-type": "application/json" },
              body,
              oauthToken: { serviceAccountEmail: config.queueServiceAccount, scope: "https://www.googleapis.com/auth/pubsub" },
            },
            ...(at ? { scheduleTime: { seconds: Math.floor(at.getTime() / 1000), nanos: (at.getTime() % 1000) * 1_000_000 } } : {}),
          },
        });
      } catch (error) {
        if (classifyError(error) !== "alreadyExists") throw error;
      }
    },
  };
}

/** A hash spreads the names: Cloud Tasks slows down on names that share a prefix. */
function taskId({ job_id, attempt, step }: JobMessage): string {
  return createHash("sha256").update(`${job_id}/${attempt}/${step}`).digest("hex").slice(0, 40);
}
