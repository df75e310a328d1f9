import { openStateDatabase, type StateDatabase } from "../persistence/state-database.ts";
import { fromValue, toValue } from "../persistence/values.ts";
import type { Task } from "./model.ts";
import { queueOfTask } from "./names.ts";
import { type StoredQueue, storedProgress, storedQueue, storedTask } from "./persistence-forms.ts";

/** The state of a queue when its folder was opened. */
export interface RestoredQueue extends StoredQueue {
  /** In the order of their schedule time. */
  readonly tasks: readonly Task[];
  /** The names of finished tasks and their end, earliest first. */
  readonly ended: readonly EndedName[];
}

export interface EndedName {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The state of a folder when it was opened. */
export interface Restored {
  readonly queues: readonly RestoredQueue[];
  readonly deletedQueues: readonly EndedName[];
}

const queueKey = (name: string): string => `queue ${name}`;
const taskKey = (name: string): string => `task ${name}`;
const progressKey = (name: string): string => `progress ${name}`;
const endedTaskKey = (name: string): string => `ended ${name}`;
const deletedQueueKey = (name: string): string => `deleted ${name}`;
const PUBSUB = "pubsub address";

type Written = [string, Uint8Array | undefined];

/**
 * The stored queues and tasks. The `write` and `remove` methods throw `WriteFault`; the caller applies a change only after they return. A
 * change of the `note` methods may be lost, which a target sees as a repeated task.
 */
export class Persistence {
  readonly #database: StateDatabase;

  private constructor(database: StateDatabase) {
    this.#database = database;
  }

  /**
   * Opens a folder. Throws a one-line error if it cannot be read completely. Tasks for the former address of the local Pub/Sub are
   * redirected to its present one, `pubsubAddress` (`127.0.0.1:port`).
   */
  static open(directory: string, pubsubAddress?: string): { readonly persistence: Persistence; readonly former: Restored } {
    const { database, entries } = openStateDatabase({ directory, product: "tasks" });
    const movedTo = moving(entries.get(PUBSUB)?.toString(), pubsubAddress);
    const moved: Written[] = pubsubAddress === undefined ? [] : [[PUBSUB, Buffer.from(pubsubAddress)]];
    const found = { tasks: new Map<string, Task[]>(), ended: new Map<string, EndedName[]>() };
    const queues: StoredQueue[] = [];
    const deletedQueues: EndedName[] = [];
    for (const [key, bytes] of entries) {
      const [kind, name = ""] = key.split(" ");
      if (kind === "queue") queues.push(fromValue(storedQueue, bytes));
      if (kind === "deleted") deletedQueues.push({ name, since: Number(bytes) });
      if (kind === "ended") append(found.ended, queueOfTask(name), { name, since: Number(bytes) });
      if (kind !== "task") continue;
      const stored = fromValue(storedTask, bytes);
      const task = { ...stored, target: { ...stored.target, url: movedTo(stored.target.url) } };
      if (task.target.url !== stored.target.url) moved.push([key, toValue(task)]);
      const progress = entries.get(progressKey(name));
      append(found.tasks, queueOfTask(name), progress ? { ...task, ...fromValue(storedProgress, progress) } : task);
    }
    const names = new Set(queues.map(({ name }) => name));
    // The task names of a deleted queue are no longer reserved.
    for (const [queue, ended] of found.ended)
      if (!names.has(queue)) moved.push(...ended.map(({ name }): Written => [endedTaskKey(name), undefined]));
    if (moved.length > 0) database.commitNow(new Map(moved));
    const former = queues.map((queue) => ({
      ...queue,
      tasks: (found.tasks.get(queue.name) ?? []).sort((a, b) => a.scheduleTime - b.scheduleTime || a.createTime - b.createTime),
      ended: (found.ended.get(queue.name) ?? []).sort((a, b) => a.since - b.since),
    }));
    return {
      persistence: new Persistence(database),
      former: { queues: former, deletedQueues: deletedQueues.sort((a, b) => a.since - b.since) },
    };
  }

  /** Writes a queue's settings and state, and the end of the tasks in `ended` at time `now`. */
  writeQueue(queue: StoredQueue, ended: readonly string[] = [], now = 0): void {
    this.#database.commitNow(
      new Map<string, Uint8Array | undefined>([[queueKey(queue.name), toValue(queue)], ...ended.flatMap(endAt(now))]),
    );
  }

  /** Writes that a queue with these tasks was deleted at a time. */
  removeQueue(name: string, tasks: readonly string[], now: number): void {
    const removed = tasks.flatMap((task): Written[] => [
      [taskKey(task), undefined],
      [progressKey(task), undefined],
    ]);
    this.#database.commitNow(
      new Map<string, Uint8Array | undefined>([[queueKey(name), undefined], [deletedQueueKey(name), time(now)], ...removed]),
    );
  }

  /**
   * Writes a task, together with the changes of other calls in this turn of the event loop, and calls `apply`. Rejects with `WriteFault`;
   * then `apply` is not called.
   */
  writeTask(task: Task, apply: () => void): Promise<void> {
    return this.#database.commit(() => ({ changes: new Map([[taskKey(task.name), toValue(task)]]), apply }));
  }

  /** Ends the turn for the tasks that are being written: they are applied or refused when this returns. */
  flush(): void {
    this.#database.flush();
  }

  writeEnd(name: string, now: number): void {
    this.#database.commitNow(new Map(endAt(now)(name)));
  }

  noteEnd(name: string, now: number): void {
    this.#database.note(new Map(endAt(now)(name)));
  }

  noteProgress(task: Task): void {
    const { scheduleTime, dispatchCount, responseCount, executionCount, previousResponse, firstAttempt, lastAttempt } = task;
    const progress = { scheduleTime, dispatchCount, responseCount, executionCount, previousResponse, firstAttempt, lastAttempt };
    this.#database.note(new Map([[progressKey(task.name), toValue(progress)]]));
  }

  /** Notes that the name of a task or queue is free again. */
  noteFree(name: string): void {
    this.#database.note(new Map([[name.includes("/tasks/") ? endedTaskKey(name) : deletedQueueKey(name), undefined]]));
  }

  close(): void {
    this.#database.close();
  }
}

function endAt(now: number): (name: string) => Written[] {
  return (name) => [
    [taskKey(name), undefined],
    [progressKey(name), undefined],
    [endedTaskKey(name), time(now)],
  ];
}

function time(milliseconds: number): Buffer {
  return Buffer.from(String(milliseconds));
}

function moving(former: string | undefined, present: string | undefined): (url: string) => string {
  if (former === undefined || present === undefined) return (url) => url;
  const start = `http://${former}/`;
  return (url) => (url.startsWith(start) ? `http://${present}/${url.slice(start.length)}` : url);
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
