import { type Config, config } from "../config.ts";
import { describeFault, type Log, processLog } from "../log.ts";
import { functionName } from "./define.ts";
import type { EventSurroundings } from "./define-event.ts";

interface ScheduleDefinition<U> {
  /** Folder and file below `functions/`. */
  readonly file: string;
  /** How often Cloud Scheduler calls it. Terraform and the local scheduler read it from functions.json. */
  readonly everySeconds: number;
  readonly uses: (config: Config) => U;
  readonly handler: (uses: U, surroundings: ScheduleSurroundings) => Promise<void>;
}

/** What a handler of the schedule gets. */
interface ScheduleSurroundings extends EventSurroundings {
  /** The time for which the run was scheduled, however late it comes; undefined for one that was called by hand. */
  readonly scheduledAt: Date | undefined;
}

/** A function that Cloud Scheduler calls over HTTP, with an identity that only its invoker role lets in. */
export interface ScheduleFunction {
  (scheduledAt?: Date): Promise<void>;
  readonly file: string;
  readonly scheduleName: string;
  readonly everySeconds: number;
  readonly run: (scheduledAt?: Date) => Promise<void>;
}

/** Defines a function of the schedule. A run that throws answers 500, and the next one does its work. */
export function defineScheduleFunction<U>(definition: ScheduleDefinition<U>): ScheduleFunction {
  let uses: U | undefined;
  const scheduleName = functionName(definition.file);
  const run = async (scheduledAt?: Date): Promise<void> => {
    const current = config();
    const log: Log = (severity, message, fields) => processLog(severity, message, { function: scheduleName, ...fields });
    uses ??= definition.uses(current);
    try {
      await definition.handler(uses, { config: current, log, now: () => new Date(), scheduledAt });
    } catch (fault) {
      log("ERROR", "A scheduled run failed; the next one does its work", describeFault(fault));
      throw fault;
    }
  };
  return Object.assign((scheduledAt?: Date) => run(scheduledAt), {
    file: definition.file,
    scheduleName,
    everySeconds: definition.everySeconds,
    run,
  });
}
