import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startRecordingTarget } from "../../testing/engines/recording-target.ts";
import { type Fixture, named, QUEUE, startFixture } from "../../testing/engines/tasks-fixture.ts";

let fixture: Fixture;

beforeEach(async () => {
  fixture = await startFixture();
});

afterEach(() => fixture.close());

describe("a failed attempt", () => {
  const retryConfig = { maxAttempts: 4, minBackoff: { seconds: 1 }, maxBackoff: { seconds: 30 }, maxDoublings: 1 };

  it("is retried with the queue's backoff and counted in the headers, until the attempts are used up", async () => {
    await fixture.createQueue({ retryConfig });
    fixture.target.respond((_, index) => ({ status: index === 0 ? 404 : 503 }));
    await fixture.createTask(named("failing"));
    for (const wait of [1000, 2000, 4000]) {
      await fixture.scheduledIn(wait);
      fixture.clock.advance(wait - 1);
      expect(fixture.clock.waits()).toContain(1);
      fixture.clock.advance(1);
    }
    const counts = (await fixture.target.received(4)).map(({ headers }) =>
      ["retrycount", "executioncount", "previousresponse"].map((name) => headers[`x-cloudtasks-task${name}`]),
    );
    expect(counts).toEqual([
      ["0", "0", undefined],
      ["1", "1", "404"],
      ["2", "1", "503"],
      ["3", "1", "503"],
    ]);
    await fixture.gone("failing");
  });

  it("is shown in the task", async () => {
    await fixture.createQueue({ retryConfig });
    fixture.target.respond(() => ({ status: 500 }));
    await fixture.createTask(named("shown"));
    await fixture.scheduledIn(1000);
    const [task] = await fixture.client.getTask(named("shown"));
    const time = { seconds: String(fixture.clock.now() / 1000) };
    expect(task).toMatchObject({ dispatchCount: 1, responseCount: 1, scheduleTime: { seconds: String(fixture.clock.now() / 1000 + 1) } });
    expect(task.lastAttempt).toMatchObject({
      dispatchTime: time,
      responseTime: time,
      responseStatus: { code: status.INTERNAL, message: "HTTP status code 500" },
    });
  });

  it("waits as long as the Retry-After of a 503", async () => {
    await fixture.createQueue({ retryConfig });
    fixture.target.respond((_, index) => (index === 0 ? { status: 503, headers: { "retry-after": "20" } } : { status: 200 }));
    await fixture.createTask(named("patient"));
    await fixture.scheduledIn(20_000);
    fixture.clock.advance(20_000);
    await fixture.gone("patient");
  });

  it("includes a missing connection and a missed deadline", async () => {
    await fixture.createQueue({ retryConfig });
    const closed = await startRecordingTarget();
    await closed.close();
    await fixture.createTask({ ...named("unreachable"), httpRequest: { url: closed.url } });
    await fixture.scheduledIn(1000);
    expect(await fixture.getTask(named("unreachable").name)).toMatchObject({
      responseCount: 0,
      lastAttempt: { responseStatus: { code: status.UNAVAILABLE } },
    });
    fixture.target.respond(() => new Promise(() => {}));
    await fixture.createTask({ ...named("silent"), dispatchDeadline: { seconds: 15 } });
    await fixture.target.received(1);
    fixture.clock.advance(15_000);
    await fixture.scheduledIn(1000);
    expect(await fixture.getTask(named("silent").name)).toMatchObject({ dispatchCount: 1, responseCount: 0 });
  });
});

describe("the limits of a queue", () => {
  it("keep the rate after a burst", async () => {
    await fixture.createQueue({ rateLimits: { maxDispatchesPerSecond: 4 } });
    await Promise.all(Array.from({ length: 13 }, () => fixture.createTask()));
    await fixture.target.received(10);
    await fixture.scheduledIn(250);
    fixture.clock.advance(250);
    await fixture.target.received(11);
    fixture.clock.advance(249);
    expect(fixture.clock.waits()).toContain(1);
    fixture.clock.advance(251);
    expect(await fixture.target.received(13)).toHaveLength(13);
  });

  it("keep the number of running attempts; the next one starts when one ends", async () => {
    await fixture.createQueue({ rateLimits: { maxConcurrentDispatches: 2 } });
    const release: (() => void)[] = [];
    fixture.target.respond(() => new Promise((resolve) => release.push(() => resolve({ status: 200 }))));
    for (const id of ["a", "b", "c"]) await fixture.createTask(named(id));
    await fixture.target.received(2);
    expect(await fixture.getTask(named("c").name)).toMatchObject({ dispatchCount: 0 });
    release[0]?.();
    const all = await fixture.target.received(3);
    expect(all[2]?.headers["x-cloudtasks-taskname"]).toBe("c");
    for (const answer of release) answer();
  });

  it("do not apply to a task that is run manually, nor does a pause", async () => {
    await fixture.createQueue();
    await fixture.client.pauseQueue({ name: QUEUE });
    await fixture.createTask(named("held"));
    await fixture.createTask({ ...named("future"), scheduleTime: fixture.inSeconds(60) });
    await fixture.client.runTask(named("future"));
    const [first] = await fixture.target.received(1);
    expect(first?.headers["x-cloudtasks-taskname"]).toBe("future");
    await fixture.gone("future");
    const [resumed] = await fixture.client.resumeQueue({ name: QUEUE });
    expect(resumed.state).toBe("RUNNING");
    const [, second] = await fixture.target.received(2);
    expect(second?.headers["x-cloudtasks-taskname"]).toBe("held");
    await fixture.gone("held");
    await expect(fixture.client.runTask(named("held"))).rejects.toMatchObject({ code: status.NOT_FOUND });
  });

  it("a purge drops all earlier tasks and no later ones", async () => {
    await fixture.createQueue();
    await fixture.client.pauseQueue({ name: QUEUE });
    await fixture.createTask(named("before"));
    const [purged] = await fixture.client.purgeQueue({ name: QUEUE });
    expect(purged.purgeTime?.seconds).toBe(String(fixture.clock.now() / 1000));
    await fixture.client.resumeQueue({ name: QUEUE });
    await fixture.createTask(named("after"));
    const [first] = await fixture.target.received(1);
    expect(first?.headers["x-cloudtasks-taskname"]).toBe("after");
  });
});
