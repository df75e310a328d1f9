import { CloudTasksClient, type protos } from "@google-cloud/tasks";
import { grpcAddress } from "../../../shared/google/grpc-address.ts";
import { type Config, parseConfig } from "../../../shared/runtime/config.ts";
import { startTasks } from "../../local/tasks/server.ts";

/** The environment's queue on a Cloud Tasks server of its own. */
export interface LocalTaskQueue {
  readonly config: Config;
  /** Returns the tasks in the queue, with their bodies. */
  readonly tasks: () => Promise<readonly protos.google.cloud.tasks.v2.ITask[]>;
  readonly close: () => Promise<void>;
}

/** Starts Cloud Tasks and creates the queue of a project with Google's client. */
export async function startTaskQueue(project: string): Promise<LocalTaskQueue> {
  process.env.METADATA_SERVER_DETECTION = "none";
  const server = await startTasks();
  const client = new CloudTasksClient({ projectId: project, ...grpcAddress(server.address) });
  const name = client.queuePath(project, "europe-north1", "aggregations");
  await client.createQueue({ parent: client.locationPath(project, "europe-north1"), queue: { name } });
  return {
    config: parseConfig({
      GOOGLE_CLOUD_PROJECT: project,
      ENVIRONMENT: "local",
      EXPORT_BUCKET: "exports",
      TASKS_ADDRESS: server.address,
    }),
    tasks: async () => (await client.listTasks({ parent: name, responseView: "FULL" }))[0],
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}
