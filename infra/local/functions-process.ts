import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { type Child, endChild, Interrupted, startChild } from "./child.ts";
import { HeldPorts } from "./held-ports.ts";
import { DatasetRequested, FunctionsReady, type Ports } from "./messages.ts";

/** How often a restart is tried, and how long after a failure. */
const RESTART_TRIES = 10;
const RESTART_AGAIN_MS = 500;
/** So many free ports are held for it: more than it has functions. */
const FREE_PORTS = 64;

export type Environment = Readonly<Record<string, string>>;

interface Functions {
  readonly logFile: string;
  /** The ports of the base URLs; 0 for free ones. */
  readonly ports: Ports;
  /** Whether it may take free ports if these are taken. */
  readonly mayMove: boolean;
  /** The address of the console's base map; undefined: the built-in one. */
  readonly baseMap: string | undefined;
  /** Ends a start, and all restarts. */
  readonly signal: AbortSignal | undefined;
  /** Receives progress lines for people. */
  readonly say: (line: string) => void;
  /** A customer has asked for its personal dataset. */
  readonly onDatasetRequested: (uid: string) => void;
  /** Another process runs now, at the same addresses. */
  readonly onRestarted: (child: Child<FunctionsReady>) => void;
  /** No restart has succeeded. Gets a one-line message. */
  readonly onLost: (why: string) => void;
}

/**
 * The process of the functions. Whenever it exits, another one is started at the same addresses, until `end`. Their ports are held before it has them: it
 * has forty, and another program that asks for a free one while none listens would often get one of them.
 */
export class FunctionsProcess {
  readonly #with: Functions;
  #ports: Ports;
  #environment: Environment = {};
  #child: Child<FunctionsReady> | undefined;
  readonly #held = new HeldPorts();
  #restarting: Promise<void> = Promise.resolve();
  #mayRestart = true;

  constructor(options: Functions) {
    this.#with = options;
    this.#ports = options.ports;
  }

  /** Starts it. While its environment is not known, it loads its modules. Throws a one-line error if it cannot start. */
  async start(environment: Environment | Promise<Environment>): Promise<void> {
    try {
      this.#child = await this.#fork(environment);
    } catch (error) {
      if (!this.#with.mayMove || this.#with.signal?.aborted) throw error;
      // Another process took the default ports after they were checked.
      this.#ports = { users: 0, data: 0 };
      this.#child = await this.#fork(await environment);
    }
    this.#environment = await environment;
    this.#ports = this.#child.ready.ports;
    this.#held.keep(Object.values(this.#ports));
  }

  /** The process that runs now. Throws an Error before the first has started. */
  get current(): Child<FunctionsReady> {
    if (!this.#child) throw new Error("The functions have not started");
    return this.#child;
  }

  /** Gives it another environment: it ends its requests and starts again. */
  async restartWith(environment: Environment): Promise<void> {
    this.#environment = environment;
    await endChild(this.#child?.process);
    // Its exit has started another one.
    await this.#restarting;
  }

  /** Ends it at once, without ending its requests. */
  kill(): void {
    this.#child?.process.kill("SIGKILL");
  }

  /** Starts no other one from now on. Resolves when one that is starting has started: it would outlive the service. */
  async stopRestarting(): Promise<void> {
    this.#mayRestart = false;
    await this.#restarting;
    this.#held.release();
  }

  /** Ends it once it has answered its requests. It must have stopped restarting. */
  end(): Promise<void> {
    return endChild(this.#child?.process);
  }

  async #fork(own: Environment | Promise<Environment>): Promise<Child<FunctionsReady>> {
    const { logFile, baseMap, signal, onDatasetRequested } = this.#with;
    if (signal?.aborted) throw new Interrupted();
    const map = baseMap === undefined ? {} : { LOCAL_BASE_MAP: baseMap };
    const free = this.#child ? [] : await this.#held.holdFree(FREE_PORTS);
    const ports = { LOCAL_PORTS: JSON.stringify(this.#ports), LOCAL_FREE_PORTS: JSON.stringify(free) };
    const local = (of: Environment): Environment => ({ ...of, ...ports, ...map });
    const child = await startChild({
      file: "functions.ts",
      preload: "stand-in-domain.ts",
      ...(own instanceof Promise
        ? { args: ["later"], env: process.env, later: own.then(local) }
        : { env: { ...process.env, ...local(own) } }),
      logFile,
      ready: FunctionsReady,
      ...(signal === undefined ? {} : { signal }),
    });
    child.process.once("exit", () => {
      this.#restarting = this.#restart();
    });
    child.process.on("message", (message) => {
      const asked = v.safeParse(DatasetRequested, message);
      if (asked.success) onDatasetRequested(asked.output.dataset_requested);
    });
    return child;
  }

  async #restart(): Promise<void> {
    const { signal, say, onRestarted, onLost } = this.#with;
    if (!this.#mayRestart || signal?.aborted) return;
    say("The functions' process exited; restarting it …");
    for (let tries = 1; this.#mayRestart; tries++) {
      try {
        await this.#held.hold(Object.values(this.#ports));
        this.#child = await this.#fork(this.#environment);
        onRestarted(this.#child);
        return;
      } catch (error) {
        const why = `The functions' process cannot be restarted: ${messageOf(error)}`;
        if (tries === RESTART_TRIES) {
          onLost(why);
          return;
        }
        // Another process may have taken one of its ports for a moment.
        say(`${why}; trying again …`);
        await wait(RESTART_AGAIN_MS);
      }
    }
  }
}
