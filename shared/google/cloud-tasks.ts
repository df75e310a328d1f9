import { CloudTasksClient } from "@google-cloud/tasks";
import type { Config } from "../runtime/config.ts";
import { childSpan, traceAttributes } from "../tracing/span.ts";
import { classifyError } from "./classify-error.ts";
import { grpcAddress } from "./grpc-address.ts";

export interface TaskQueue {
  /** Enqueues a message as JSON, not to be sent before `at`. Drops it if a task has its id already. Callers use evenly distributed ids. */
  readonly enqueue: (id: string, content: object, at?: Date) => Promise<void>;
}

/** Opens Cloud Tasks. The queue limits the rate; each task publishes its message to the topic as the queue's service account. */
export function openTaskQueue(config: Config): TaskQueue {
  const client = new CloudTasksClient({ projectId: config.project, ...grpcAddress(config.addresses.tasks, config.accessToken) });
  const parent = client.queuePath(config.project, config.queueRegion, config.queue);
  const url = `${config.addresses.pubsubRest}/v1/projects/${config.project}/topics/${config.topic}:publish`;
  return {
    enqueue: (id, content, at) => childSpan({ name: "enqueue task", kind: "producer" }, () => create(id, content, at)),
  };
  async function create(id: string, content: object, at: Date | undefined): Promise<void> {
    const data = Buffer.from(JSON.stringify(content)).toString("base64");
    const body = Buffer.from(JSON.stringify({ messages: [{ data, attributes: traceAttributes() }] })).toString("base64");
    try {
      await client.createTask({
        parent,
        task: {
          name: `${parent}/tasks/${id}`,
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
  }
}
