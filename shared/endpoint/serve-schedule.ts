import type { ScheduleFunction } from "./define-schedule.ts";
import type { Handler } from "./serve.ts";

/** The HTTP function of a schedule: 200 when its run succeeded, 500 when it threw (which it has logged). */
export function serveSchedule({ run }: ScheduleFunction): Handler {
  return async (request, response) => {
    const time = new Date([request.headers["x-cloudscheduler-scheduletime"]].flat()[0] ?? "");
    const status = await run(Number.isNaN(time.getTime()) ? undefined : time).then(
      () => 200,
      () => 500,
    );
    response.writeHead(status).end();
  };
}
