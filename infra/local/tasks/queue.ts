import { status } from "@grpc/grpc-js";
import { isSuccess, recordOutcome } from "./attempt.ts";
import { type DispatchContext, Dispatcher } from "./dispatcher.ts";
import type { Attempt, QueueSettings, Task } from "./model.ts";
import type { Persistence, RestoredQueue } from "./persistence.ts";
import type { StoredQueue } from "./persistence-forms.ts";
import { RecentNames } from "./recent-names.ts";
import { backoff, isExhausted, retryAfter } from "./retry.ts";
import { TokenBucket } from "./token-bucket.ts";
import { Fifo } from "./wire/fifo.ts";
import type { HttpOutcome } from "./wire/http-sender.ts";
import { RpcError } from "./wire/rpc-error.ts";

/** How long the name of a finished task stays reserved (CreateTaskRequest.task in cloudtasks.proto). */
const NAME_TAKEN_MS = 3_600_000;

export function queueNotFound(): RpcError {
  return new RpcError(
    status.NOT_FOUND,
    "Queue does not exist. If you just created the queue, wait at least a minute for the queue to initialize.",
  );
}

export interface QueueContext extends DispatchContext {
  /** Every change is written here before it takes effect. Absent: in memory only. */
  readonly persistence?: Persistence | undefined;
}

/** A task in the queue: waiting for its schedule time, ready, running (with `attempts` concurrent attempts), or ended. */
interface Entry {
  readonly task: Task;
  phase: "waiting" | "ready" | "running" | "ended";
  attempts: number;
  cancelTimer: () => void;
}

/** A queue and the dispatch of its tasks. A due task leaves at once; only future tasks have timers. */
export class Queue {
  readonly name: string;
  readonly settings: QueueSettings;
  purgeTime: number | undefined;
  readonly #context: QueueContext;
  readonly #entries = new Map<string, Entry>();
  /** The tasks that are being written, by name. Each promise resolves when that is over. */
  readonly #adding = new Map<string, Promise<void>>();
  readonly #ended: RecentNames;
  readonly #ready = new Fifo<Entry>();
  readonly #dispatcher: Dispatcher;
  readonly #bucket: TokenBucket;
  #cancelRefill: (() => void) | undefined;
  #running = 0;
  #paused: boolean;
  #closed = false;

  /** `former` is the state before a restart. */
  constructor(name: string, settings: QueueSettings, context: QueueContext, former?: RestoredQueue) {
    this.name = name;
    this.settings = settings;
    this.#context = context;
    this.#dispatcher = new Dispatcher(context);
    this.#ended = new RecentNames(NAME_TAKEN_MS, context.clock, {
      former: former?.ended,
      freed: (free) => context.persistence?.noteFree(free),
    });
    const { maxDispatchesPerSecond, maxBurstSize } = settings.rateLimits;
    this.#bucket = new TokenBucket(maxDispatchesPerSecond, maxBurstSize, context.clock.now());
    this.#paused = former?.paused ?? false;
    this.purgeTime = former?.purgeTime;
    for (const task of former?.tasks ?? []) this.#admit(task);
  }

  get state(): "RUNNING" | "PAUSED" {
    return this.#paused ? "PAUSED" : "RUNNING";
  }

  /** Adds a task and dispatches it if it is due. Rejects with ALREADY_EXISTS while its name is reserved, or with `WriteFault`. */
  async add(task: Task): Promise<void> {
    // A name is taken when its task is written, which may fail.
    while (this.#adding.has(task.name)) await this.#adding.get(task.name);
    if (this.#closed) throw queueNotFound();
    if (this.#entries.has(task.name)) throw new RpcError(status.ALREADY_EXISTS, "Requested entity already exists");
    if (this.#ended.has(task.name))
      throw new RpcError(status.ALREADY_EXISTS, "The task cannot be created because a task with this name existed too recently.");
    const { persistence } = this.#context;
    if (persistence === undefined) {
      this.#admit(task);
      return;
    }
    const written = persistence.writeTask(task, () => this.#admit(task));
    const isOver = () => void this.#adding.delete(task.name);
    this.#adding.set(task.name, written.then(isOver, isOver));
    await written;
  }

  tasks(): Task[] {
    return Array.from(this.#entries.values(), ({ task }) => task);
  }

  /** Throws NOT_FOUND. */
  get(name: string): Task {
    return this.#entry(name).task;
  }

  /** Throws NOT_FOUND. */
  delete(name: string): void {
    const entry = this.#entry(name);
    this.#context.persistence?.writeEnd(name, this.#context.clock.now());
    this.#end(entry);
  }

  /** Dispatches now regardless of limits, also if paused or already running. Throws NOT_FOUND. */
  run(name: string): Task {
    const entry = this.#entry(name);
    entry.cancelTimer();
    this.#dispatch(entry);
    return entry.task;
  }

  purge(): void {
    const purgeTime = this.#context.clock.now();
    this.#context.persistence?.flush();
    this.#context.persistence?.writeQueue(this.#asStored({ purgeTime }), [...this.#entries.keys()], purgeTime);
    for (const entry of this.#entries.values()) this.#end(entry);
    this.purgeTime = purgeTime;
  }

  pause(): void {
    this.#context.persistence?.writeQueue(this.#asStored({ paused: true }));
    this.#paused = true;
  }

  resume(): void {
    this.#context.persistence?.writeQueue(this.#asStored({ paused: false }));
    this.#paused = false;
    this.#pump();
  }

  /** Ends everything. Nothing is sent afterwards. */
  close(): void {
    this.#closed = true;
    this.#cancelRefill?.();
    for (const entry of this.#entries.values()) this.#end(entry);
    this.#dispatcher.abortAll();
  }

  #asStored(changes: Partial<StoredQueue>): StoredQueue {
    return { name: this.name, settings: this.settings, paused: this.#paused, purgeTime: this.purgeTime, ...changes };
  }

  #admit(task: Task): void {
    const entry: Entry = { task, phase: "waiting", attempts: 0, cancelTimer: () => {} };
    this.#entries.set(task.name, entry);
    this.#schedule(entry, task.scheduleTime);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    throw new RpcError(
      status.NOT_FOUND,
      this.#ended.has(name)
        ? "The task no longer exists, though a task with this name existed recently. The task either successfully completed or was deleted."
        : "Task does not exist.",
    );
  }

  #schedule(entry: Entry, time: number): void {
    const { clock } = this.#context;
    const { task } = entry;
    task.scheduleTime = time;
    entry.phase = "waiting";
    if (time <= clock.now()) this.#makeReady(entry);
    else entry.cancelTimer = clock.at(time, () => this.#makeReady(entry));
  }

  #makeReady(entry: Entry): void {
    entry.phase = "ready";
    this.#ready.push(entry);
    this.#pump();
  }

  #pump(): void {
    while (!this.#paused && !this.#closed && this.#running < this.settings.rateLimits.maxConcurrentDispatches) {
      const entry = this.#ready.peek();
      if (entry === undefined) return;
      // Deleted in the meantime, or dispatched manually: the queued entry is void.
      if (entry.phase === "ready") {
        if (!this.#bucket.take(this.#context.clock.now())) {
          this.#waitForToken();
          return;
        }
        this.#dispatch(entry);
      }
      this.#ready.shift();
    }
  }

  #waitForToken(): void {
    this.#cancelRefill ??= this.#context.clock.at(this.#bucket.nextAt(), () => {
      this.#cancelRefill = undefined;
      this.#pump();
    });
  }

  #dispatch(entry: Entry): void {
    const { clock } = this.#context;
    const { task } = entry;
    entry.phase = "running";
    entry.attempts++;
    this.#running++;
    const outcome = this.#dispatcher.send(task);
    const attempt: Attempt = { scheduleTime: task.scheduleTime, dispatchTime: clock.now() };
    task.dispatchCount++;
    task.firstAttempt ??= attempt;
    task.lastAttempt = attempt;
    this.#context.persistence?.noteProgress(task);
    outcome.then((ended) => this.#settle(entry, attempt, ended));
  }

  #settle(entry: Entry, attempt: Attempt, outcome: HttpOutcome): void {
    const now = this.#context.clock.now();
    const { task } = entry;
    this.#running--;
    entry.attempts--;
    recordOutcome(task, attempt, outcome, now);
    if (entry.phase === "ended" || isSuccess(outcome)) this.#endSelf(entry, now);
    else if (entry.attempts === 0) this.#retry(entry, outcome, now);
    this.#pump();
  }

  #retry(entry: Entry, outcome: HttpOutcome, now: number): void {
    const { task } = entry;
    const { retryConfig } = this.settings;
    if (isExhausted(retryConfig, task.dispatchCount, now - (task.firstAttempt?.dispatchTime ?? now))) {
      this.#endSelf(entry, now);
      return;
    }
    const asked = outcome.kind === "answered" && (outcome.status === 429 || outcome.status === 503) ? outcome.retryAfter : undefined;
    this.#schedule(entry, now + Math.max(backoff(retryConfig, task.dispatchCount), retryAfter(asked, now)));
    this.#context.persistence?.noteProgress(task);
  }

  /** If this cannot be written, the task is sent again after a restart: delivery is at least once. */
  #endSelf(entry: Entry, now: number): void {
    if (entry.phase !== "ended") this.#context.persistence?.noteEnd(entry.task.name, now);
    this.#end(entry);
  }

  #end(entry: Entry): void {
    if (entry.phase === "ended") return;
    entry.cancelTimer();
    entry.phase = "ended";
    this.#entries.delete(entry.task.name);
    this.#ended.add(entry.task.name);
  }
}
