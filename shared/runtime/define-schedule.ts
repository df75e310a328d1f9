import { entrySpan } from "../tracing/span.ts";
import { type Config, config } from "./config.ts";
import type { EventContext } from "./define-event.ts";
import { functionName } from "./function-name.ts";
import { describeError, type Log, processLog } from "./log.ts";
import { ShuttingDown, shutdownSignal } from "./shutdown-signal.ts";

interface ScheduleDefinition<U> {
  /** Folder and file below `functions/`. */
  readonly file: string;
  /** The interval at which Cloud Scheduler calls the function. Terraform and the local scheduler read it from functions.json. */
  readonly everySeconds: number;
  readonly dependencies: (config: Config) => U;
  readonly handler: (uses: U, surroundings: ScheduleContext) => Promise<void>;
}

/** What a handler of a schedule receives. */
interface ScheduleContext extends EventContext {
  /** The time for which the run was scheduled, however late it starts; undefined for a manual call. */
  readonly scheduledAt: Date | undefined;
}

/** A function that Cloud Scheduler calls over HTTP. Only an identity with the invoker role may call it. */
export interface ScheduleFunction {
  (scheduledAt?: Date): Promise<void>;
  readonly file: string;
  readonly scheduleName: string;
  readonly everySeconds: number;
  /** Runs with the process's configuration unless another is given. */
  readonly run: (scheduledAt?: Date, current?: Config) => Promise<void>;
}

/** Defines a scheduled function. If a run throws, Cloud Scheduler retries it or the next run does its work. */
export function defineScheduleFunction<U>(definition: ScheduleDefinition<U>): ScheduleFunction {
  let uses: U | undefined;
  const scheduleName = functionName(definition.file);
  const run = (scheduledAt?: Date, current = config()): Promise<void> => {
    const options = { name: scheduleName, kind: "server", attributes: { "faas.name": scheduleName } } as const;
    return entrySpan(current.project, undefined, options, () => handle(scheduledAt, current));
  };
  const handle = async (scheduledAt: Date | undefined, current: Config): Promise<void> => {
    const log: Log = (severity, message, fields) => processLog(severity, message, { function: scheduleName, ...fields });
    uses ??= definition.dependencies(current);
    try {
      await definition.handler(uses, { config: current, log, now: () => new Date(), scheduledAt, shutdownSignal });
    } catch (error) {
      if (error instanceof ShuttingDown) log("INFO", "A scheduled run stopped: its process is shutting down");
      else log("ERROR", "A scheduled run failed; the next one does its work", describeError(error));
      throw error;
    }
  };
  return Object.assign((scheduledAt?: Date) => run(scheduledAt), {
    file: definition.file,
    scheduleName,
    everySeconds: definition.everySeconds,
    run,
  });
}
