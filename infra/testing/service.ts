import * as v from "valibot";
import { expect, inject, vi } from "vitest";
import { type Account, type LocalCustomer, provisionCustomer } from "../../scripts/admin/local/customers.ts";
import { functionsConfig } from "../local/functions-environment.ts";
import { requireDocumented } from "./documented-statuses.ts";
import { bodyOf } from "./response-body.ts";

/** Addresses and sample customers of the service under test. */
export const ready = inject("ready");

Object.assign(process.env, inject("environment"));

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Call {
  readonly key?: string | undefined;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request to one of the two base URLs. */
export async function call(api: "users" | "data", method: string, path: string, { key, body, text, headers }: Call = {}): Promise<Answer> {
  const base = api === "users" ? ready.users_base_url : ready.data_base_url;
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { "x-api-key": key }),
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  requireDocumented(api, method, path, response.status);
  return { status: response.status, headers: response.headers, body: await bodyOf(response) };
}

const PLAIN = { service: "storage", scopes: ["realtime"], machineAccountAdmin: false } as const;

/** Creates a customer of this test, with the keys `storage` and `warehouse`. */
export function newCustomer(account: Partial<Account> = {}): Promise<LocalCustomer> {
  return provisionCustomer(functionsConfig(ready.project), ready.metadata_host, {
    name: "A test's customer",
    countries: ["EST", "LAT", "NOR"],
    defaultCountry: "EST",
    keys: { storage: PLAIN, warehouse: { ...PLAIN, service: "warehouse" } },
    ...account,
  });
}

/** Returns a customer's key by name. Fails the test when there is none. */
export function keyOf(customer: LocalCustomer, name = "storage"): string {
  const key = customer.keys[name];
  if (key === undefined) throw new Error(`${customer.name} has no key ${name}`);
  return key;
}

const Submitted = v.object({ job_id: v.string() });
const Status = v.object({ status: v.string(), progress: v.number(), error: v.nullable(v.string()) });

/** Submits a job, waits for its end and returns its id and final status. */
export async function runJob(key: string, body: unknown): Promise<{ id: string; status: string; error: string | null }> {
  const submitted = await call("data", "POST", "/data-agg", { key, body });
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 202 });
  const { job_id: id } = v.parse(Submitted, submitted.body);
  const { status, error } = await vi.waitFor(
    async () => {
      const stand = v.parse(Status, (await call("data", "GET", `/data-agg/status/${id}`, { key })).body);
      expect(stand.status).toMatch(/^(completed|failed|cancelled)$/);
      return stand;
    },
    { timeout: 20_000, interval: 20 },
  );
  return { id, status, error };
}
