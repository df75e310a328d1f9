import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { readConfiguration, type Written } from "./configuration.ts";
import { Instances } from "./instances.ts";
import { Json } from "./language/functions.ts";
import type { Fields } from "./language/value.ts";
import { type Plan, plan } from "./plan.ts";

/** The project's folder of Terraform. */
export const TERRAFORM = fileURLToPath(new URL("../../terraform/", import.meta.url));

export const ENVIRONMENTS = ["dev", "prod"] as const;
export const HOSTS = { data: "data.example.com", users: "users.example.com" };

const Entry = v.looseObject({
  name: v.string(),
  trigger: v.picklist(["http", "topic", "schedule"]),
  topic: v.optional(v.string()),
});

/** `infra/generated/functions.json` as Terraform reads it. */
export const FUNCTIONS_JSON = v.parse(v.array(v.record(v.string(), Json)), readJson("functions.json"));

/** What is deployed. */
export const FUNCTIONS = v.parse(v.array(Entry), FUNCTIONS_JSON);

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../infra/generated/${file}`, import.meta.url), "utf8"));
}

/** What an environment has of it: everything but what its root withholds. */
export async function functionsOf(name: (typeof ENVIRONMENTS)[number]): Promise<typeof FUNCTIONS> {
  const { modules } = await readConfiguration(`${TERRAFORM}environments/${name}`);
  const withheld = modules.get("environment")?.fields.get("withheld");
  const names = Array.isArray(withheld)
    ? withheld.map((one: Written) => ("kind" in one && one.kind === "literal" ? one.value : undefined))
    : [];
  return FUNCTIONS.filter((one) => !names.includes(one.name));
}

/** An environment's root, with the least that its operator must give. */
export function planEnvironment(name: (typeof ENVIRONMENTS)[number]): Promise<Plan> {
  return plan(`${TERRAFORM}environments/${name}`, {
    project_id: `populus-${name}`,
    delivery_project: `populus-${name}-delivery`,
    hosts: HOSTS,
    alert_emails: ["operator@example.com"],
  });
}

/** For each number of customers, all that an environment and they make together. */
export async function plannedForCustomers(counts: readonly number[]): Promise<Map<number, Instances>> {
  const environment = (await planEnvironment("prod")).instances();
  const planned = counts.map(
    async (count) => [count, new Instances([...environment, ...(await planCustomers(count)).instances()])] as const,
  );
  return new Map(await Promise.all(planned));
}

/** The customers' root with a number of customers who have all that a customer can have. */
export function planCustomers(count: number): Promise<Plan> {
  const environments = { prod: { data_project: "populus-prod", delivery_project: "populus-prod-delivery" } };
  return plan(`${TERRAFORM}customers`, { customers: customersOf(count), environments }, "prod");
}

/** Customers who have all that a customer can have, by their uids. */
export function customersOf(count: number): Fields {
  return Object.fromEntries(
    Array.from({ length: count }, (_none, index) => {
      const name = `Customer ${index}`;
      const customer = { name, environment: "prod", countries: ["EST"], scopes: ["realtime", "warehouse"], scenarios: ["A", "B", "C"] };
      return [`customer${String(index).padStart(4, "0")}`, customer];
    }),
  );
}
