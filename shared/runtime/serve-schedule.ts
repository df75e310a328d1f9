import type { Config } from "./config.ts";
import type { ScheduleFunction } from "./define-schedule.ts";
import type { HttpHandler } from "./http-handler.ts";
import { ShuttingDown } from "./shutdown-signal.ts";

/**
 * Returns the HTTP function of a schedule. It responds 200 if the run succeeded, 500 if it threw (`run` logs the error), and 503 if the
 * process is shutting down: Cloud Scheduler retries, and another process continues.
 * Source: https://cloud.google.com/scheduler/docs/configuring/retry-jobs
 */
export function serveSchedule({ run }: Pick<ScheduleFunction, "run">, config?: Config): HttpHandler {
  return async (request, response) => {
    const time = new Date([request.headers["x-cloudscheduler-scheduletime"]].flat()[0] ?? "");
    const status = await run(Number.isNaN(time.getTime()) ? undefined : time, config).then(
      () => 200,
      (error: unknown) => (error instanceof ShuttingDown ? 503 : 500),
    );
    response.writeHead(status).end();
  };
}
