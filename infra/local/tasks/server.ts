import { join } from "node:path";
import { Server, status, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { assertGranted, restrictedCaller } from "../iam/caller.ts";
import type { Identity } from "../identity.ts";
import type { LocalServer } from "../server.ts";
import { queueOfTask } from "./names.ts";
import { newTask } from "./new-task.ts";
import { Persistence } from "./persistence.ts";
import { queueSettings } from "./queue-settings.ts";
import { Queues } from "./queues.ts";
import { REQUESTS } from "./requests.ts";
import { queueResource, taskResource } from "./resources.ts";
import { type Clock, systemClock } from "./wire/clock.ts";
import { bindLoopback, loadServices, unary } from "./wire/grpc-service.ts";
import { HttpSender } from "./wire/http-sender.ts";
import { pageOf } from "./wire/pages.ts";
import { RpcError } from "./wire/rpc-error.ts";
import { TokenCache } from "./wire/token-cache.ts";

export interface TasksOptions {
  /** The port. 0 or absent: a free one. */
  readonly port?: number;
  /** Mints the tokens of tasks and knows the service accounts. Without it tasks carry no token. */
  readonly identity?: Identity;
  /** The time, in milliseconds since 1970. */
  readonly now?: () => number;
  /** The time and the timers; replaces `now`. */
  readonly clock?: Clock;
  /** The data folder. State is stored in its subfolder `tasks`. Without it all is in memory only. */
  readonly dataDirectory?: string;
  /** Full names of the queues that are created if they are missing, as Terraform does in the cloud. */
  readonly queues?: readonly string[];
  /** The address of the local Pub/Sub, `127.0.0.1:port`. Stored tasks for its former address are redirected to it. */
  readonly pubsubAddress?: string;
  /** Returns a number from 0 up to 1, for the ids of unnamed tasks. */
  readonly random?: () => number;
}

/** As in `terraform/modules/async`. */
const RATES = { maxDispatchesPerSecond: 500, maxBurstSize: 0, maxConcurrentDispatches: 1000 };

/**
 * Serves google.cloud.tasks.v2.CloudTasks to the real client and dispatches HTTP tasks as Cloud Tasks does. Unsupported methods return
 * UNIMPLEMENTED. With a data folder, acknowledged changes survive any end of the process: pending tasks and reserved names. Rejects if the
 * port is taken, and with a one-line error if the folder cannot be used.
 */
export async function startTasks(options: TasksOptions = {}): Promise<LocalServer> {
  const { identity, random = Math.random } = options;
  const clock = options.clock ?? systemClock(options.now);
  const sender = new HttpSender();
  const { dataDirectory, pubsubAddress } = options;
  const opened = dataDirectory === undefined ? undefined : Persistence.open(join(dataDirectory, "tasks"), pubsubAddress);
  const tokens = identity && new TokenCache(identity, () => clock.now());
  const queues = new Queues({ clock, sender, tokens, persistence: opened?.persistence }, opened?.former);
  for (const name of options.queues ?? []) if (!queues.has(name)) queues.create(name, queueSettings({ rateLimits: RATES }));
  const makeId = () => String(Math.floor(random() * 2 ** 53)).padStart(17, "1");

  const service = loadServices("@google-cloud/tasks", "google/cloud/tasks/v2/cloudtasks.proto");
  const server = new Server();
  server.addService(service("google.cloud.tasks.v2.CloudTasks"), {
    ...queueMethods(queues),
    ...taskMethods(queues, { clock, identity, makeId }),
  });
  const address = await bindLoopback(server, options.port ?? 0).catch((error: unknown) => {
    queues.close();
    opened?.persistence.close();
    throw error;
  });
  return {
    address,
    async close() {
      queues.close();
      clock.stop();
      sender.close();
      server.forceShutdown();
      opened?.persistence.close();
    },
  };
}

function queueMethods(queues: Queues): UntypedServiceImplementation {
  return {
    createQueue: unary(REQUESTS.createQueue, ({ parent, queue }) => {
      if (!queue.name.startsWith(`${parent}/queues/`))
        throw new RpcError(status.INVALID_ARGUMENT, "The location of the queue's name must be the parent of the request.");
      return queueResource(queues.create(queue.name, queueSettings(queue)));
    }),
    getQueue: unary(REQUESTS.queueByName, ({ name }) => queueResource(queues.get(name))),
    listQueues: unary(REQUESTS.listQueues, (request) => {
      const { items, nextPageToken } = pageOf(queues.in(request.parent), request, 9800);
      return { queues: items.map(queueResource), nextPageToken };
    }),
    deleteQueue: unary(REQUESTS.queueByName, ({ name }) => {
      queues.delete(name);
      return {};
    }),
    purgeQueue: unary(REQUESTS.queueByName, ({ name }) => {
      queues.get(name).purge();
      return queueResource(queues.get(name));
    }),
    pauseQueue: unary(REQUESTS.queueByName, ({ name }) => {
      queues.get(name).pause();
      return queueResource(queues.get(name));
    }),
    resumeQueue: unary(REQUESTS.queueByName, ({ name }) => {
      queues.get(name).resume();
      return queueResource(queues.get(name));
    }),
  };
}

/** https://cloud.google.com/tasks/docs/creating-http-target-tasks#sa */
const CREATE_TASK = [
  { permission: "cloudtasks.tasks.create", on: "queue" },
  { permission: "iam.serviceAccounts.actAs", on: "queue_account" },
];

interface TaskContext {
  readonly clock: Clock;
  readonly identity: Identity | undefined;
  readonly makeId: () => string;
}

function taskMethods(queues: Queues, { clock, identity, makeId }: TaskContext): UntypedServiceImplementation {
  return {
    createTask: unary(REQUESTS.createTask, async ({ parent, task: request, responseView }, _signal, authorization) => {
      assertGranted(restrictedCaller(identity, authorization), CREATE_TASK, ({ permission, on }) => {
        const { serviceAccountEmail = "" } = request.httpRequest?.oauthToken ?? {};
        const name = on === "queue" ? parent : serviceAccountEmail;
        return `The principal (user or service account) lacks IAM permission "${permission}" for the resource "${name}" (or the resource may not exist).`;
      });
      const queue = queues.get(parent);
      const task = newTask(parent, request, { now: clock.now(), identity, makeId });
      // Built before the dispatch: the response is the task as it was created.
      const created = taskResource(task, responseView);
      await queue.add(task);
      return created;
    }),
    getTask: unary(REQUESTS.taskByName, ({ name, responseView }) => taskResource(queues.get(queueOfTask(name)).get(name), responseView)),
    listTasks: unary(REQUESTS.listTasks, (request) => {
      const { items, nextPageToken } = pageOf(queues.get(request.parent).tasks(), request, 1000);
      return { tasks: items.map((task) => taskResource(task, request.responseView)), nextPageToken };
    }),
    deleteTask: unary(REQUESTS.taskByName, ({ name }) => {
      queues.get(queueOfTask(name)).delete(name);
      return {};
    }),
    runTask: unary(REQUESTS.taskByName, ({ name, responseView }) => taskResource(queues.get(queueOfTask(name)).run(name), responseView)),
  };
}
