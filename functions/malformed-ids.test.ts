import { expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../infra/testing/service.ts";

const customer = await newCustomer({ keys: { admin: { service: "storage", scopes: ["realtime"], machineAccountAdmin: true } } });
const key = keyOf(customer, "admin");

const JOB = "00000000-0000-4000-8000-000000000000";
const MAP = "0".repeat(20);
const accounts = `/users/${customer.uid}/machine-accounts`;

it.each([
  ["the status of a job", "data", "GET", (id: string) => `/data-agg/status/${id}`, JOB, undefined],
  ["the results of a job", "data", "GET", (id: string) => `/data-agg/results/${id}`, JOB, undefined],
  ["addresses of its files", "data", "POST", (id: string) => `/data-agg/results/${id}/urls`, JOB, undefined],
  ["the end of a job", "data", "POST", (id: string) => `/data-agg/cancel/${id}`, JOB, undefined],
  ["a map", "users", "GET", (id: string) => `/admin/maps/${id}`, MAP, undefined],
  ["a change of a map", "users", "PUT", (id: string) => `/admin/maps/${id}`, MAP, { name: "A name" }],
  ["the deletion of a map", "users", "DELETE", (id: string) => `/admin/maps/${id}`, MAP, undefined],
  ["a change of a machine account", "users", "PATCH", (label: string) => `${accounts}/${label}`, "nobody", { service: "storage" }],
  ["the removal of a machine account", "users", "DELETE", (label: string) => `${accounts}/${label}`, "nobody", undefined],
  ["machine accounts", "users", "GET", (uid: string) => `/users/${uid}/machine-accounts/list`, "a".repeat(12), undefined],
] as const)("%s: a malformed id is answered like an unknown one", async (_what, api, method, path, unknown, body) => {
  const ask = (id: string) => call(api, method, path(id), { key, ...(body === undefined ? {} : { body }) });
  const expected = await ask(unknown);
  expect(expected).toMatchObject({ status: 404, body: { code: "not_found" } });
  for (const malformed of ["-", `${unknown}~`]) {
    const answer = await ask(malformed);
    expect({ ...Object(answer.body), request_id: "" }).toEqual({ ...Object(expected.body), request_id: "" });
  }
});
