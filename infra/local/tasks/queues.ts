import { status } from "@grpc/grpc-js";
import type { QueueSettings } from "./model.ts";
import type { Restored } from "./persistence.ts";
import { Queue, type QueueContext, queueNotFound } from "./queue.ts";
import { RecentNames } from "./recent-names.ts";
import { RpcError } from "./wire/rpc-error.ts";

/** How long a deleted queue's name stays reserved (CloudTasks.DeleteQueue in cloudtasks.proto). */
const NAME_TAKEN_MS = 7 * 24 * 3_600_000;

/** All queues by their full names. */
export class Queues {
  readonly #queues = new Map<string, Queue>();
  readonly #deleted: RecentNames;
  readonly #context: QueueContext;

  /** `former` is the state before a restart. Due tasks leave at once. */
  constructor(context: QueueContext, former: Restored = { queues: [], deletedQueues: [] }) {
    this.#context = context;
    const freed = (name: string) => context.persistence?.noteFree(name);
    this.#deleted = new RecentNames(NAME_TAKEN_MS, context.clock, { former: former.deletedQueues, freed });
    for (const queue of former.queues) this.#queues.set(queue.name, new Queue(queue.name, queue.settings, context, queue));
  }

  /** Throws ALREADY_EXISTS, and FAILED_PRECONDITION within a week after a queue of that name was deleted. */
  create(name: string, settings: QueueSettings): Queue {
    if (this.#queues.has(name)) throw new RpcError(status.ALREADY_EXISTS, "Queue already exists");
    if (this.#deleted.has(name))
      throw new RpcError(status.FAILED_PRECONDITION, "The queue cannot be created because a queue with this name existed too recently.");
    this.#context.persistence?.writeQueue({ name, settings, paused: false, purgeTime: undefined });
    const queue = new Queue(name, settings, this.#context);
    this.#queues.set(name, queue);
    return queue;
  }

  /** Throws NOT_FOUND. */
  get(name: string): Queue {
    const queue = this.#queues.get(name);
    if (queue) return queue;
    throw queueNotFound();
  }

  has(name: string): boolean {
    return this.#queues.has(name);
  }

  in(location: string): Queue[] {
    return [...this.#queues.values()].filter(({ name }) => name.startsWith(`${location}/queues/`));
  }

  /** Throws NOT_FOUND. */
  delete(name: string): void {
    const queue = this.get(name);
    this.#context.persistence?.flush();
    const tasks = queue.tasks().map((task) => task.name);
    this.#context.persistence?.removeQueue(name, tasks, this.#context.clock.now());
    queue.close();
    this.#queues.delete(name);
    this.#deleted.add(name);
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
  }
}
