import { beforeAll, describe, expect, it } from "vitest";
import { Instances, textArgument } from "./instances.ts";
import { textOf, Unknown } from "./language/value.ts";
import type { Instance } from "./plan.ts";
import { ENVIRONMENTS, type FUNCTIONS, functionsOf, planEnvironment } from "./roots.ts";

const INVOKER = "google_cloud_run_v2_service_iam_binding";

describe.each(ENVIRONMENTS)("in %s", (environment) => {
  let instances: Instances;
  let functions: typeof FUNCTIONS;
  const endpoints = () => functions.filter(({ trigger }) => trigger === "http");
  const workers = () => functions.filter(({ trigger }) => trigger !== "http");
  const functionNamed = (name: string): Instance => {
    const [found] = instances.of("google_cloudfunctions2_function").filter((one) => one.arguments.name === name);
    if (found === undefined) throw new Error(`There is no function ${name}`);
    return found;
  };
  const invokersOf = (name: string) => {
    const bindings = instances.of(INVOKER).filter((one) => instances.named(one.arguments.name) === functionNamed(name));
    return bindings.flatMap(({ arguments: { role = null, members = null } }) => [role, members]);
  };
  /** Returns the only account that may call a worker. */
  const callerOf = (name: string): Instance => {
    const callers = instances.references(invokersOf(name));
    expect([name, callers.length, invokersOf(name)]).toEqual([name, 1, ["roles/run.invoker", [expect.any(Unknown)]]]);
    return instances.named(callers[0] && new Unknown(callers[0].address));
  };

  beforeAll(async () => {
    functions = await functionsOf(environment);
    instances = new Instances((await planEnvironment(environment)).instances());
  });

  it("anyone can call an endpoint, which requires a key, and only one account can call a worker", () => {
    for (const { name } of endpoints()) expect([name, invokersOf(name)]).toEqual([name, ["roles/run.invoker", ["allUsers"]]]);
    const callers = workers().map(({ name }) => callerOf(name));
    expect(callers.map(({ type }) => type)).toEqual(workers().map(() => "google_service_account"));
    expect(new Set(callers.map(({ address }) => address)).size).toBe(workers().length);
    expect(new Set(callers.map((one) => textArgument(one, "account_id"))).size).toBe(workers().length);
  });

  it("the invoker grant is authoritative, so that no other member keeps access", () => {
    expect(instances.of(INVOKER)).toHaveLength(functions.length);
    const others = instances.all.filter(
      ({ type, arguments: { role } }) => type !== INVOKER && /\brun\.|cloudfunctions\./.test(textOf(role ?? null)),
    );
    expect(others.filter(({ type }) => type.includes("_iam_")).map(({ address }) => address)).toEqual([]);
  });

  it("no project role is basic, and none allows calling or changing functions", () => {
    const roles = instances.all.flatMap(({ type, arguments: { role } }) =>
      type.startsWith("google_project_iam_") && typeof role === "string" ? [role] : [],
    );
    expect(roles.length).toBeGreaterThan(10);
    expect(roles.filter((role) => /^roles\/(owner|editor|viewer|run|cloudfunctions|iam\.serviceAccount)/.test(role))).toEqual([]);
  });

  it("a worker accepts only calls from inside Google; an endpoint's ingress follows the environment", () => {
    const ingress = (name: string) => functionNamed(name).arguments.service_config;
    const from = environment === "prod" ? "ALLOW_INTERNAL_AND_GCLB" : "ALLOW_ALL";
    for (const { name, trigger } of functions) {
      const wanted = trigger === "http" ? from : "ALLOW_INTERNAL_ONLY";
      expect([name, ingress(name)]).toEqual([name, [expect.objectContaining({ ingress_settings: wanted })]]);
    }
  });

  it("a worker's topic pushes to the worker's address as the account that may call it", () => {
    const topicFunctions = functions.filter(({ trigger }) => trigger === "topic");
    const pushes = instances.of("google_pubsub_subscription").filter(({ arguments: { push_config } }) => push_config !== undefined);
    expect(pushes).toHaveLength(topicFunctions.length);
    for (const { name, topic } of topicFunctions) {
      const [push, ...more] = pushes.filter(({ arguments: fields }) =>
        instances.references(fields.push_config).includes(functionNamed(name)),
      );
      expect([name, more, push && textArgument(instances.named(push.arguments.topic), "name")]).toEqual([name, [], topic]);
      expect(instances.references(push?.arguments.push_config)).toEqual([functionNamed(name), callerOf(name), functionNamed(name)]);
    }
  });

  it("a schedule calls its function's address as the account that may call it", () => {
    const schedules = functions.filter(({ trigger }) => trigger === "schedule");
    expect(instances.of("google_cloud_scheduler_job")).toHaveLength(schedules.length);
    for (const { name } of schedules) {
      const jobs = instances
        .of("google_cloud_scheduler_job")
        .filter((one) => instances.references(one.arguments.http_target).includes(functionNamed(name)));
      expect(jobs).toHaveLength(1);
      expect(instances.references(jobs[0]?.arguments.http_target)).toEqual([functionNamed(name), callerOf(name), functionNamed(name)]);
    }
  });

  it("a calling account has no other permission, and only Pub/Sub signs as it", () => {
    for (const { name } of workers()) {
      const caller = callerOf(name);
      const mentions = instances.all.filter(
        ({ type, arguments: fields }) => type.includes("_iam_") && instances.references(fields).includes(caller),
      );
      const others = mentions.filter(({ type }) => type !== INVOKER);
      for (const { arguments: fields } of others)
        expect(fields).toMatchObject({
          role: "roles/iam.serviceAccountOpenIdTokenCreator",
          member: { of: expect.stringContaining("gcp-sa-pubsub") },
        });
      expect(mentions.length - others.length).toBe(1);
    }
  });
});
