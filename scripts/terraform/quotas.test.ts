import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import type { Instances } from "./instances.ts";
import { CUSTOMERS, QUOTAS, quotasDocument } from "./quotas.ts";
import { FUNCTIONS, plannedForCustomers } from "./roots.ts";

let counted: Map<number, Instances>;

beforeAll(async () => {
  counted = await plannedForCustomers(CUSTOMERS);
});

const countsOf = (what: RegExp) =>
  [...counted.values()].map((instances) => QUOTAS.filter((one) => what.test(one.what)).map(({ count }) => count(instances)));

it("the service with ten customers is within every quota of a new project", () => {
  const [ten] = counted.values();
  expect(QUOTAS.filter(({ limit, count }) => ten === undefined || count(ten) > limit).map(({ what }) => what)).toEqual([]);
});

it("a thousand customers stay within every limit that cannot be raised", () => {
  const passed = QUOTAS.filter(({ limit, count }) => [...counted.values()].some((instances) => count(instances) > limit));
  expect(passed.filter(({ isRaisable }) => !isRaisable).map(({ what }) => what)).toEqual([]);
});

it("each customer adds two accounts, one member, one view and one listing", () => {
  const workers = FUNCTIONS.filter(({ trigger }) => trigger !== "http").length;
  // The accounts of the functions, of the workers' callers, of the queue's tasks and of the build.
  const own = FUNCTIONS.length + workers + 2;
  expect(countsOf(/^service accounts/)).toEqual(CUSTOMERS.map((count) => [own + 2 * count]));
  const [ten = 0, hundred = 0, thousand = 0] = countsOf(/^members of the project/).flat();
  // Each function is exempted from four kinds of audit entries; exemptions count as members.
  expect(ten).toBeGreaterThan(10 + 4 * FUNCTIONS.length);
  expect([hundred - ten, thousand - hundred]).toEqual([90, 900]);
  expect(countsOf(/^views|^listings/)).toEqual(CUSTOMERS.map((count) => [count, count]));
});

it("routes and backends do not grow with customers", () => {
  const [ten, ...more] = countsOf(/^route rules|^path templates|^backend|^Cloud Run|^members of a dataset/);
  expect(more).toEqual([ten, ten]);
  expect(ten?.every((count) => count > 0)).toBe(true);
  const endpoints = FUNCTIONS.filter(({ trigger }) => trigger === "http").length;
  expect(countsOf(/^backend/)).toEqual(CUSTOMERS.map(() => [endpoints]));
});

it("infra/generated/quotas.md shows these counts", () => {
  expect(readFileSync(new URL("../../infra/generated/quotas.md", import.meta.url), "utf8")).toBe(quotasDocument(counted));
});
