import type { ScheduleFunction } from "./define-schedule.ts";
import type { HttpHandler } from "./http-handler.ts";
import { ShuttingDown } from "./shutdown-signal.ts";

/**
 * The HTTP function of a schedule: 200 when its run succeeded, 500 when it threw (which it has logged), 503 when its process was asked to end:
 * Cloud Scheduler calls again, and another process goes on. Source: https://cloud.google.com/scheduler/docs/configuring/retry-jobs
 */
export function serveSchedule({ run }: Pick<ScheduleFunction, "run">): HttpHandler {
  return async (request, response) => {
    const time = new Date([request.headers["x-cloudscheduler-scheduletime"]].flat()[0] ?? "");
    const status = await run(Number.isNaN(time.getTime()) ? undefined : time).then(
      () => 200,
      (fault: unknown) => (fault instanceof ShuttingDown ? 503 : 500),
    );
    response.writeHead(status).end();
  };
}
