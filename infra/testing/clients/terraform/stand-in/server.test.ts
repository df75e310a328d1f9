import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fields } from "./json.ts";
import { type StandIn, startStandIn } from "./server.ts";

const PROJECT = "populus-test";
let google: StandIn;

beforeAll(async () => {
  google = await startStandIn({ projects: [PROJECT], resources: {} });
});
afterAll(() => google.close());

async function send(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly answer: unknown }> {
  const response = await fetch(`${google.url}/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: response.status, answer: await response.json() };
}

function refusal(message: string): object {
  return { error: expect.objectContaining({ message: expect.stringContaining(message) }) };
}

describe("policies", () => {
  const path = `cloudresourcemanager.googleapis.com/v1/projects/${PROJECT}:setIamPolicy`;
  const account = `reader@${PROJECT}.iam.gserviceaccount.com`;
  const setPolicy = (role: string, member: string) => send("POST", path, { policy: { bindings: [{ role, members: [member] }] } });

  it("names only members that exist", async () => {
    const policy = await setPolicy("roles/viewer", `serviceAccount:${account}`);
    expect(policy).toEqual({ status: 400, answer: refusal(`${account} does not exist`) });
    await send("POST", `iam.googleapis.com/v1/projects/${PROJECT}/serviceAccounts`, { accountId: "reader" });
    expect(await setPolicy("roles/viewer", `serviceAccount:${account}`)).toMatchObject({ status: 200 });
  });

  it("names only members of a form that Google has", async () => {
    expect(await setPolicy("roles/viewer", "somebody@example.com")).toEqual({ status: 400, answer: refusal("Invalid member") });
  });

  it("gives only roles that exist", async () => {
    const role = `projects/${PROJECT}/roles/ciPlan`;
    expect(await setPolicy(role, "user:you@example.com")).toEqual({ status: 400, answer: refusal(`Role ${role} does not exist`) });
    await send("POST", `iam.googleapis.com/v1/projects/${PROJECT}/roles`, { roleId: "ciPlan", role: { title: "Plans" } });
    expect(await setPolicy(role, "user:you@example.com")).toMatchObject({ status: 200 });
  });

  it("is not set over another's change", async () => {
    const policy = { etag: "old", bindings: [{ role: "roles/viewer", members: ["user:you@example.com"] }] };
    expect(await send("POST", path, { policy })).toEqual({ status: 409, answer: refusal("concurrent policy changes") });
  });
});

describe("a load balancer's rules", () => {
  const path = `compute.googleapis.com/compute/v1/projects/${PROJECT}/global/urlMaps`;
  const map = (name: string, priorities: readonly number[]) => ({
    name,
    hostRules: [{ hosts: ["data.example.com"], pathMatcher: "data" }],
    pathMatchers: [{ name: "data", routeRules: priorities.map((priority) => ({ priority })) }],
  });

  it("are in the order of their priorities", async () => {
    expect(await send("POST", path, map("mixed", [1, 3, 2]))).toEqual({ status: 400, answer: refusal("not in ascending order") });
    expect(await send("POST", path, map("twice", [1, 1]))).toEqual({ status: 400, answer: refusal("not in ascending order") });
    expect(await send("POST", path, map("sorted", [1, 2, 3]))).toMatchObject({ status: 200, answer: { status: "DONE" } });
  });

  it("lead to a service that exists", async () => {
    const defaultService = `projects/${PROJECT}/global/backendServices/lost`;
    const answer = await send("POST", path, { ...map("leading", [1]), defaultService });
    expect(answer).toEqual({ status: 404, answer: refusal("backendServices/lost was not found") });
  });
});

describe("resources", () => {
  it("name only what exists", async () => {
    const body = { topic: `projects/${PROJECT}/topics/lost` };
    const answer = await send("PUT", `pubsub.googleapis.com/v1/projects/${PROJECT}/subscriptions/pushed`, body);
    expect(answer).toEqual({ status: 404, answer: refusal("topics/lost was not found") });
  });

  it("are made below what exists", async () => {
    const path = `bigquery.googleapis.com/bigquery/v2/projects/${PROJECT}/datasets/lost/tables`;
    const answer = await send("POST", path, { tableReference: { tableId: "visits" } });
    expect(answer).toEqual({ status: 404, answer: refusal("datasets/lost does not exist") });
  });

  it("are made once", async () => {
    const path = `pubsub.googleapis.com/v1/projects/${PROJECT}/topics/once`;
    expect(await send("PUT", path, {})).toMatchObject({ status: 200 });
    const account = { accountId: "single" };
    const accounts = `iam.googleapis.com/v1/projects/${PROJECT}/serviceAccounts`;
    expect(await send("POST", accounts, account)).toMatchObject({ status: 200 });
    expect(await send("POST", accounts, account)).toEqual({ status: 409, answer: refusal("already exists") });
  });

  it("are removed with their policies, and not before their parts", async () => {
    const exchanges = `analyticshub.googleapis.com/v1/projects/${PROJECT}/locations/EU/dataExchanges`;
    await send("POST", `${exchanges}?data_exchange_id=all`, { displayName: "All" });
    const before = google.contents();
    await send("POST", `bigquery.googleapis.com/bigquery/v2/projects/${PROJECT}/datasets`, { datasetReference: { datasetId: "shared" } });
    const bigqueryDataset = { dataset: `projects/${PROJECT}/datasets/shared` };
    const listing = `${exchanges}/all/listings/one`;
    expect(await send("POST", `${exchanges}/all/listings?listing_id=one`, { bigqueryDataset })).toMatchObject({ status: 200 });
    const bindings = [{ role: "roles/analyticshub.subscriber", members: ["user:you@example.com"] }];
    expect(await send("POST", `${listing}:setIamPolicy`, { policy: { bindings } })).toMatchObject({ status: 200 });
    expect(await send("DELETE", `${exchanges}/all`)).toEqual({ status: 400, answer: refusal("is still in use") });
    for (const path of [listing, `bigquery.googleapis.com/bigquery/v2/${bigqueryDataset.dataset}`])
      expect(await send("DELETE", path)).toMatchObject({ status: 200 });
    expect(google.contents()).toEqual(before);
    expect(await send("DELETE", listing)).toEqual({ status: 404, answer: refusal("was not found") });
  });

  it("of Cloud Storage's folders may lie in one another", async () => {
    const bucket = "storage.googleapis.com/storage/v1/b/results-of-a-test";
    await send("POST", `storage.googleapis.com/storage/v1/b?project=${PROJECT}`, { name: "results-of-a-test", location: "EU" });
    for (const name of ["results/", "results/acme/"])
      expect(await send("POST", `${bucket}/managedFolders`, { name })).toMatchObject({ status: 200, answer: { name } });
    const inner = `${bucket}/managedFolders/${encodeURIComponent("results/acme/")}`;
    expect(await send("DELETE", `${bucket}/managedFolders/${encodeURIComponent("results/")}`)).toEqual({
      status: 400,
      answer: refusal("is still in use"),
    });
    expect(await send("PUT", `${inner}/iam`, { bindings: [] })).toMatchObject({ status: 200 });
    expect(await send("DELETE", inner)).toMatchObject({ status: 200 });
  });

  it("that are accounts are disabled and enabled", async () => {
    const accounts = `iam.googleapis.com/v1/projects/${PROJECT}/serviceAccounts`;
    await send("POST", accounts, { accountId: "suspended", serviceAccount: { displayName: "Suspended" } });
    const account = `${accounts}/suspended@${PROJECT}.iam.gserviceaccount.com`;
    for (const [verb, disabled] of [
      ["disable", true],
      ["enable", undefined],
    ] as const) {
      await send("POST", `${account}:${verb}`);
      const { answer } = await send("GET", account);
      expect(answer).toMatchObject({ displayName: "Suspended" });
      expect(answer).toHaveProperty("email");
      expect(fields(answer).disabled).toBe(disabled);
    }
  });
});
