import { messageOf } from "../../../shared/runtime/error-message.ts";
import { Agenda } from "./agenda.ts";
import { CALM, drawFate, drawLatency, type Fate, type FaultRates } from "./faults.ts";
import type { Ending, Manner, Process, Running } from "./process.ts";
import { type Random, randomOf } from "./random.ts";
import type { TraceLine } from "./trace.ts";

/** An invariant that did not hold. */
export interface Violation {
  readonly invariant: string;
  readonly message: string;
}

type ArrivedFate = Fate | "arrives though its process has died";

interface WorldOptions {
  readonly seed: number;
  /** The virtual time of the start. */
  readonly start: Date;
  /** Whether to keep a trace. It changes nothing else, so that a failing seed can be run again with a trace. */
  readonly isTraced: boolean;
  /** More turns than this are a violation: the run does not end. */
  readonly turnsMax: number;
}

/**
 * A world in which everything happens step by step, at virtual times, in an order that a seed decides. It is independent of jobs and ticks:
 * in-memory ports take their turns with `Process.step`, and events from outside are scheduled with `at`.
 * Set `rates` to inject faults, or CALM for none. The first violation ends the run.
 */
export class World {
  readonly random: Random;
  readonly trace: TraceLine[] = [];
  /** Counts of the notable events of a run. */
  readonly counts: Record<string, number> = {};
  rates: FaultRates = CALM;
  violation: Violation | undefined;
  readonly #options: WorldOptions;
  readonly #agenda: Agenda<Running>;
  readonly #running = new Set<Running>();
  #turns = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.random = randomOf(options.seed);
    this.#agenda = new Agenda(this.random, options.start.getTime());
  }

  /** The clock of the code under test. */
  readonly now = (): Date => new Date(this.#agenda.time);

  /** Milliseconds since 1970. */
  get time(): number {
    return this.#agenda.time;
  }

  get isTraced(): boolean {
    return this.#options.isTraced;
  }

  /** Schedules an event from outside. It is atomic, and may start processes. */
  at(time: number, happen: () => void): void {
    this.#agenda.add({ at: time, owner: undefined, isSent: false, run: happen });
  }

  /**
   * Starts a process. `body` builds its ports from the process that it receives.
   * @param lifeMs the process is killed after this time, like a function at its timeout
   * @param onEnd called once with how it ended; `failed` means that the body rejected
   */
  start(name: string, body: (process: Process) => Promise<void>, lifeMs: number, onEnd: (ending: Ending) => void = () => undefined): void {
    const running: Running = { name, isAlive: true, onEnd, step: (what, effect, manner) => this.#step(running, what, effect, manner) };
    this.#running.add(running);
    this.count("processes");
    this.#agenda.add({ at: this.time + lifeMs, owner: running, isSent: false, run: () => this.#kill(running, "timeout") });
    body(running).then(
      () => this.#end(running, "done"),
      (error: unknown) => this.#end(running, "failed", messageOf(error)),
    );
  }

  /** Kills all processes that are alive now, as when their machine dies. With `afterMs`, kills those of them still alive at that time. */
  killAll(afterMs = 0): void {
    const alive = [...this.#running];
    const kill = (): void => {
      for (const running of alive) this.#kill(running, "with its machine");
    };
    if (afterMs === 0) kill();
    else this.at(this.time + afterMs, kill);
  }

  /** Counts a notable event. */
  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Adds a line to the trace, if one is kept. */
  say(process: string, step: string, fate = ""): void {
    if (this.isTraced) this.trace.push({ at: this.time, process, step, fate });
  }

  /** Records the violation of an invariant, which ends the run. Does not throw: the code under test would catch it. */
  violate(invariant: string, message: string): void {
    if (this.violation) return;
    this.violation = { invariant, message };
    this.say("world", `VIOLATION: ${invariant}`, message);
  }

  /** Runs until a time, until nothing is pending, or until the first violation. Returns whether it can continue. */
  async run(until = Number.POSITIVE_INFINITY): Promise<boolean> {
    for (;;) {
      await quiet();
      if (this.violation) return false;
      const next = this.#agenda.take(until);
      if (next === undefined) return !this.#agenda.isEmpty;
      if (++this.#turns > this.#options.turnsMax) this.violate("comes to rest", `it took more than ${this.#options.turnsMax} turns`);
      next.run();
    }
  }

  #step<T>(owner: Running, what: string, effect: () => T, { notBefore = 0, mayRepeat = false, tell = brief }: Manner<T> = {}): Promise<T> {
    // A dead process makes no more calls. Its code still runs only because this process is alive.
    if (!owner.isAlive) return new Promise(() => undefined);
    const at = Math.max(notBefore, this.time + drawLatency(this.random, this.rates));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const run = (): void => {
      const fate = this.#fateOf(owner, mayRepeat);
      try {
        const result = carryOut(fate, effect);
        if (this.isTraced) this.say(owner.name, what, fate === "done" && result ? tell(result.value) : fate);
        if (fate === "dies before" || fate === "dies after") this.#kill(owner, fate);
        // A dead process gets no result.
        if (!owner.isAlive) return;
        if (result === undefined || fate === "fails after") reject(new Error(`${what} ${fate} its effect`));
        else resolve(result.value);
      } catch (answer) {
        this.say(owner.name, what, `answers ${String(answer)}`);
        if (owner.isAlive) reject(answer);
      }
    };
    this.#agenda.add({ at, owner, isSent: true, run });
    return promise;
  }

  /** Draws what becomes of a call that arrives, and counts it. */
  #fateOf(owner: Running, mayRepeat: boolean): ArrivedFate {
    const fate = owner.isAlive ? drawFate(this.random, this.rates, mayRepeat) : "arrives though its process has died";
    this.count("calls");
    if (fate !== "done") this.count(`calls: ${fate}`);
    return fate;
  }

  #kill(running: Running, why: string): void {
    if (!running.isAlive) return;
    this.count("processes: killed");
    // The calls that it has sent may still arrive, or not.
    this.#agenda.keepOnly(({ owner, isSent }) => owner !== running || (isSent && this.random.chance(0.5)));
    this.#end(running, "killed", why);
  }

  #end(running: Running, ending: Ending, why = ""): void {
    if (!running.isAlive) return;
    running.isAlive = false;
    this.#running.delete(running);
    this.#agenda.keepOnly(({ owner, isSent }) => owner !== running || isSent);
    if (ending === "failed") this.count("processes: failed");
    this.say(running.name, `(${ending})`, why);
    running.onEnd(ending);
  }
}

/** Has the effect of a call as often as its fate says. Returns its result; undefined without an effect. */
function carryOut<T>(fate: ArrivedFate, effect: () => T): { readonly value: T } | undefined {
  if (fate === "fails before" || fate === "dies before") return undefined;
  if (fate === "repeated") effect();
  return { value: effect() };
}

/** Waits until all microtasks are done: `nextTick` called from a microtask runs after all microtasks. */
function quiet(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function brief(result: unknown): string {
  const text = JSON.stringify(result) ?? "";
  return text.length <= 160 ? text : `${text.slice(0, 157)}…`;
}
