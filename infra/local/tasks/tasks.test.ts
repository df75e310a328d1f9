import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ACCOUNT,
  type Fixture,
  HOUR,
  LOCATION,
  named,
  QUEUE,
  type Queue,
  startFixture,
  type Task,
} from "../../testing/engines/tasks-fixture.ts";
import { SCOPES } from "../identity.ts";

let fixture: Fixture;

beforeEach(async () => {
  fixture = await startFixture();
});

afterEach(() => fixture.close());

describe("a queue", () => {
  it("has the defaults of Cloud Tasks", async () => {
    await fixture.createQueue();
    const [queue] = await fixture.client.getQueue({ name: QUEUE });
    expect(queue).toMatchObject({
      name: QUEUE,
      state: "RUNNING",
      rateLimits: { maxDispatchesPerSecond: 500, maxBurstSize: 100, maxConcurrentDispatches: 1000 },
      retryConfig: { maxAttempts: 100, minBackoff: { nanos: 100_000_000 }, maxBackoff: { seconds: "3600" }, maxDoublings: 16 },
    });
  });

  it("is listed in its location, with pagination", async () => {
    const names = ["a", "b", "c"].map((id) => `${LOCATION}/queues/${id}`);
    for (const name of names) await fixture.client.createQueue({ parent: LOCATION, queue: { name } });
    const listed: (string | null | undefined)[] = [];
    for await (const queue of fixture.client.listQueuesAsync({ parent: LOCATION, pageSize: 2 })) listed.push(queue.name);
    expect(listed).toEqual(names);
    const [elsewhere] = await fixture.client.listQueues({ parent: "projects/demo-local/locations/europe-west1" });
    expect(elsewhere).toEqual([]);
  });

  it("is refused if it exists, and for a week after it was deleted", async () => {
    await fixture.createQueue();
    await expect(fixture.createQueue()).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
    await fixture.client.deleteQueue({ name: QUEUE });
    await expect(fixture.client.getQueue({ name: QUEUE })).rejects.toMatchObject({ code: status.NOT_FOUND });
    await expect(fixture.createQueue()).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
    fixture.clock.advance(7 * 24 * HOUR);
    await fixture.createQueue();
  });

  it.each<[string, Queue]>([
    ["a malformed name", { name: `${LOCATION}/queues/under_score` }],
    ["a name of another location", { name: "projects/demo-local/locations/europe-west1/queues/q" }],
    ["a rate over 500 a second", { rateLimits: { maxDispatchesPerSecond: 501 } }],
    ["more than 5000 concurrent dispatches", { rateLimits: { maxConcurrentDispatches: 5001 } }],
    ["fewer than -1 attempts", { retryConfig: { maxAttempts: -2 } }],
    ["a minimum backoff above the maximum", { retryConfig: { minBackoff: { seconds: 2 }, maxBackoff: { seconds: 1 } } }],
  ])("with %s is refused as INVALID_ARGUMENT", async (_, queue) => {
    await expect(fixture.createQueue(queue)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it("with unsupported fields is refused as UNIMPLEMENTED", async () => {
    await expect(fixture.createQueue({ stackdriverLoggingConfig: { samplingRatio: 1 } })).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    });
    await expect(fixture.client.updateQueue({ queue: { name: QUEUE } })).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });
});

describe("a task", () => {
  beforeEach(() => fixture.createQueue());

  it("that is due is sent at once, with its body, its headers and those of Cloud Tasks", async () => {
    const body = Buffer.from(JSON.stringify({ messages: [] }));
    const created = await fixture.createTask({
      ...named("first"),
      httpRequest: {
        url: `${fixture.target.url}/v1/topics/t:publish?x=1`,
        httpMethod: "PUT",
        headers: { "Content-Type": "application/json", Host: "elsewhere", "X-CloudTasks-QueueName": "forged", "User-Agent": "me" },
        body: body.toString("base64"),
      },
    });
    expect(created).toMatchObject({ ...named("first"), view: "BASIC", dispatchCount: 0, dispatchDeadline: { seconds: "600" } });
    const [request] = await fixture.target.received(1);
    expect(request).toMatchObject({ method: "PUT", path: "/v1/topics/t:publish?x=1", body: body.toString() });
    expect(request?.headers).toMatchObject({
      host: fixture.target.address,
      "content-type": "application/json",
      "user-agent": "Google-Cloud-Tasks",
      "x-cloudtasks-queuename": "aggregations",
      "x-cloudtasks-taskname": "first",
      "x-cloudtasks-taskretrycount": "0",
      "x-cloudtasks-taskexecutioncount": "0",
      "x-cloudtasks-tasketa": (fixture.clock.now() / 1000).toFixed(6),
    });
    expect(request?.headers).not.toHaveProperty("x-cloudtasks-taskpreviousresponse");
  });

  it("that is scheduled for later is sent at its time", async () => {
    await fixture.createTask({ ...named("later"), scheduleTime: fixture.inSeconds(60) });
    fixture.clock.advance(59_999);
    expect(await fixture.getTask(named("later").name)).toMatchObject({ dispatchCount: 0 });
    expect(fixture.target.requests).toHaveLength(0);
    fixture.clock.advance(1);
    expect(await fixture.target.received(1)).toHaveLength(1);
  });

  it("gets a name from the queue if it has none", async () => {
    const { name } = await fixture.createTask({ scheduleTime: fixture.inSeconds(60) });
    expect(name).toMatch(new RegExp(`^${QUEUE}/tasks/\\d+$`));
    expect(await fixture.getTask(name ?? "")).toMatchObject({ name });
  });

  it("that was answered with 2xx is deleted, and its name stays reserved for an hour", async () => {
    await fixture.createTask({ ...named("once"), scheduleTime: fixture.inSeconds(60) });
    await expect(fixture.createTask(named("once"))).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
    fixture.clock.advance(60_000);
    await fixture.target.received(1);
    await fixture.gone("once");
    await expect(fixture.createTask(named("once"))).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
    fixture.clock.advance(HOUR - 1);
    await expect(fixture.createTask(named("once"))).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
    fixture.clock.advance(1);
    await fixture.createTask(named("once"));
    expect(await fixture.target.received(2)).toHaveLength(2);
  });

  it("shows its body only in the full view", async () => {
    const request = { url: fixture.target.url, body: Buffer.from("payload").toString("base64") };
    await fixture.createTask({ ...named("views"), httpRequest: request, scheduleTime: fixture.inSeconds(60) });
    const [basic] = await fixture.client.getTask(named("views"));
    expect(basic.httpRequest?.body).toHaveLength(0);
    const [full] = await fixture.client.getTask({ ...named("views"), responseView: "FULL" });
    expect(String(full.httpRequest?.body)).toBe("payload");
    const [listed] = await fixture.client.listTasks({ parent: QUEUE, responseView: "FULL" });
    expect(listed.map(({ httpRequest }) => String(httpRequest?.body))).toEqual(["payload"]);
  });

  it("that was deleted is never sent or retried", async () => {
    await fixture.createTask({ ...named("gone"), scheduleTime: fixture.inSeconds(60) });
    await fixture.client.deleteTask(named("gone"));
    await expect(fixture.client.deleteTask(named("gone"))).rejects.toMatchObject({ code: status.NOT_FOUND });
    fixture.clock.advance(HOUR);
    await fixture.createTask(named("marker"));
    const sent = await fixture.target.received(1);
    expect(sent.map(({ headers }) => headers["x-cloudtasks-taskname"])).toEqual(["marker"]);
  });

  it("carries a valid token of its service account", async () => {
    const oauthToken = { serviceAccountEmail: ACCOUNT, scope: SCOPES.storageRead };
    await fixture.createTask({ httpRequest: { url: fixture.target.url, headers: { authorization: "Basic mine" }, oauthToken } });
    await fixture.createTask({ httpRequest: { url: fixture.target.url, oauthToken: { serviceAccountEmail: ACCOUNT } } });
    await fixture.createTask({ httpRequest: { url: fixture.target.url, oidcToken: { serviceAccountEmail: ACCOUNT } } });
    const principals = (await fixture.target.received(3)).map(({ headers }) =>
      fixture.identity.verify(headers.authorization?.slice("Bearer ".length) ?? ""),
    );
    const byScopes = principals.map((principal) => ({ email: principal?.email, scopes: principal?.scopes.join() })).sort();
    expect(byScopes).toHaveLength(3);
    expect(byScopes).toEqual(
      expect.arrayContaining([SCOPES.storageRead, SCOPES.cloudPlatform, ""].map((scopes) => ({ email: ACCOUNT, scopes }))),
    );
  });

  it("of a disabled account fails its attempt without a request, and succeeds once the account is enabled", async () => {
    fixture.identity.setDisabled(ACCOUNT, true);
    await fixture.createTask({
      ...named("barred"),
      httpRequest: { url: fixture.target.url, oauthToken: { serviceAccountEmail: ACCOUNT } },
    });
    await fixture.scheduledIn(100);
    expect(fixture.target.requests).toHaveLength(0);
    fixture.identity.setDisabled(ACCOUNT, false);
    fixture.clock.advance(100);
    expect(await fixture.target.received(1)).toHaveLength(1);
  });

  it.each<[string, number, (url: string) => Task]>([
    ["a name of another queue", status.INVALID_ARGUMENT, () => ({ name: `${LOCATION}/queues/other/tasks/a` })],
    ["a malformed name", status.INVALID_ARGUMENT, () => ({ name: `${QUEUE}/tasks/a b` })],
    ["no request", status.INVALID_ARGUMENT, () => ({ httpRequest: null })],
    ["an invalid URL", status.INVALID_ARGUMENT, () => ({ httpRequest: { url: "ftp://x" } })],
    ["a body with a method that has none", status.INVALID_ARGUMENT, (url) => ({ httpRequest: { url, httpMethod: "GET", body: "eA==" } })],
    [
      "more than 1 MiB",
      status.INVALID_ARGUMENT,
      (url) => ({ httpRequest: { url, body: Buffer.alloc(1024 * 1024 + 1).toString("base64") } }),
    ],
    ["an invalid header", status.INVALID_ARGUMENT, (url) => ({ httpRequest: { url, headers: { "x-a": "line\nbreak" } } })],
    ["a schedule time beyond 30 days", status.INVALID_ARGUMENT, () => ({ scheduleTime: { seconds: Date.UTC(2026, 2, 1) / 1000 } })],
    ["a deadline under 15 s", status.INVALID_ARGUMENT, () => ({ dispatchDeadline: { seconds: 14 } })],
    ["an App Engine request", status.UNIMPLEMENTED, () => ({ httpRequest: null, appEngineHttpRequest: { relativeUri: "/x" } })],
    [
      "a service account that does not exist",
      status.PERMISSION_DENIED,
      (url) => ({ httpRequest: { url, oauthToken: { serviceAccountEmail: "who@x" } } }),
    ],
  ])("with %s is refused with code %i and not sent", async (_, code, task) => {
    await expect(fixture.createTask(task(fixture.target.url))).rejects.toMatchObject({ code });
    await fixture.createTask(named("marker"));
    const [first] = await fixture.target.received(1);
    expect(first?.headers["x-cloudtasks-taskname"]).toBe("marker");
  });

  it("of an unknown queue is refused as NOT_FOUND", async () => {
    await expect(fixture.createTask({}, `${LOCATION}/queues/none`)).rejects.toMatchObject({ code: status.NOT_FOUND });
    await expect(fixture.client.getTask({ name: `${LOCATION}/queues/none/tasks/a` })).rejects.toMatchObject({ code: status.NOT_FOUND });
    await expect(fixture.client.getTask(named("none"))).rejects.toMatchObject({ code: status.NOT_FOUND });
  });
});
