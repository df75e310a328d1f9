import { status } from "@grpc/grpc-js";
import { attemptRequest, isSuccess, statusOf } from "./attempt.ts";
import type { Attempt, QueueSettings, Task } from "./model.ts";
import { RecentNames } from "./recent-names.ts";
import { backoff, isExhausted, retryAfter } from "./retry.ts";
import { TokenBucket } from "./token-bucket.ts";
import type { Clock } from "./wire/clock.ts";
import { Fifo } from "./wire/fifo.ts";
import type { HttpOutcome, HttpSender } from "./wire/http-sender.ts";
import { RpcError } from "./wire/rpc-error.ts";
import type { TokenCache } from "./wire/token-cache.ts";

/** How long the name of an ended task stays taken (CreateTaskRequest.task in cloudtasks.proto). */
const NAME_TAKEN_MS = 3_600_000;

export interface QueueContext {
  readonly clock: Clock;
  readonly sender: HttpSender;
  readonly tokens: TokenCache | undefined;
}

/** A task in the queue: waiting for its time, due and waiting its turn, under way (`attempts` at once), or ended. */
interface Entry {
  readonly task: Task;
  phase: "waiting" | "ready" | "running" | "ended";
  attempts: number;
  cancelTimer: () => void;
}

/** A queue and the dispatch of its tasks. A due task leaves at once; timers exist only for what lies in the future. */
export class Queue {
  readonly name: string;
  readonly settings: QueueSettings;
  purgeTime: number | undefined;
  readonly #context: QueueContext;
  readonly #entries = new Map<string, Entry>();
  readonly #ended: RecentNames;
  readonly #ready = new Fifo<Entry>();
  readonly #aborts = new Set<() => void>();
  readonly #bucket: TokenBucket;
  #cancelRefill: (() => void) | undefined;
  #running = 0;
  #paused = false;
  #closed = false;

  constructor(name: string, settings: QueueSettings, context: QueueContext) {
    this.name = name;
    this.settings = settings;
    this.#context = context;
    this.#ended = new RecentNames(NAME_TAKEN_MS, context.clock);
    const { maxDispatchesPerSecond, maxBurstSize } = settings.rateLimits;
    this.#bucket = new TokenBucket(maxDispatchesPerSecond, maxBurstSize, context.clock.now());
  }

  get state(): "RUNNING" | "PAUSED" {
    return this.#paused ? "PAUSED" : "RUNNING";
  }

  /** Adds a task and, when it is due, dispatches it. Throws ALREADY_EXISTS while its name is taken. */
  add(task: Task): void {
    if (this.#entries.has(task.name)) throw new RpcError(status.ALREADY_EXISTS, "Requested entity already exists");
    if (this.#ended.has(task.name))
      throw new RpcError(status.ALREADY_EXISTS, "The task cannot be created because a task with this name existed too recently.");
    const entry: Entry = { task, phase: "waiting", attempts: 0, cancelTimer: () => {} };
    this.#entries.set(task.name, entry);
    this.#schedule(entry, task.scheduleTime);
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
    this.#end(this.#entry(name));
  }

  /** Dispatches now, whatever the limits, also when paused or already under way. Throws NOT_FOUND. */
  run(name: string): Task {
    const entry = this.#entry(name);
    entry.cancelTimer();
    this.#dispatch(entry);
    return entry.task;
  }

  purge(): void {
    for (const entry of this.#entries.values()) this.#end(entry);
    this.purgeTime = this.#context.clock.now();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#pump();
  }

  /** Ends everything; nothing is sent afterwards. */
  close(): void {
    this.#closed = true;
    this.#cancelRefill?.();
    for (const entry of this.#entries.values()) this.#end(entry);
    for (const abort of this.#aborts) abort();
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
      // Deleted meanwhile, or dispatched by hand: its place in the row is void.
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
    const outcome = this.#send(task);
    const attempt: Attempt = { scheduleTime: task.scheduleTime, dispatchTime: clock.now() };
    task.dispatchCount++;
    task.firstAttempt ??= attempt;
    task.lastAttempt = attempt;
    outcome.then((ended) => this.#settle(entry, attempt, ended));
  }

  async #send(task: Task): Promise<HttpOutcome> {
    const { clock, sender, tokens } = this.#context;
    try {
      const sending = sender.send(attemptRequest(task, tokens));
      let late = false;
      const cancelDeadline = clock.at(clock.now() + task.dispatchDeadline, () => {
        late = true;
        sending.abort();
      });
      this.#aborts.add(sending.abort);
      const outcome = await sending.outcome;
      this.#aborts.delete(sending.abort);
      cancelDeadline();
      return late ? { kind: "unanswered", reason: "The worker did not respond by the dispatch deadline." } : outcome;
    } catch (error) {
      return { kind: "unanswered", reason: error instanceof Error ? error.message : "The request could not be made." };
    }
  }

  #settle(entry: Entry, attempt: Attempt, outcome: HttpOutcome): void {
    const now = this.#context.clock.now();
    const { task } = entry;
    this.#running--;
    entry.attempts--;
    attempt.responseStatus = statusOf(outcome);
    if (outcome.kind === "answered") {
      attempt.responseTime = now;
      task.responseCount++;
      task.previousResponse = outcome.status;
      if (outcome.status < 500) task.executionCount++;
    }
    if (entry.phase === "ended" || isSuccess(outcome)) this.#end(entry);
    else if (entry.attempts === 0) this.#retry(entry, outcome, now);
    this.#pump();
  }

  #retry(entry: Entry, outcome: HttpOutcome, now: number): void {
    const { task } = entry;
    const { retryConfig } = this.settings;
    if (isExhausted(retryConfig, task.dispatchCount, now - (task.firstAttempt?.dispatchTime ?? now))) {
      this.#end(entry);
      return;
    }
    const asked = outcome.kind === "answered" && (outcome.status === 429 || outcome.status === 503) ? outcome.retryAfter : undefined;
    this.#schedule(entry, now + Math.max(backoff(retryConfig, task.dispatchCount), retryAfter(asked, now)));
  }

  #end(entry: Entry): void {
    if (entry.phase === "ended") return;
    entry.cancelTimer();
    entry.phase = "ended";
    this.#entries.delete(entry.task.name);
    this.#ended.add(entry.task.name);
  }
}
