import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { readConfiguration, type Written } from "./configuration.ts";
import { Instances } from "./instances.ts";
import { Json } from "./language/functions.ts";
import type { Fields } from "./language/value.ts";
import { type Plan, plan } from "./plan.ts";

/** The project's Terraform folder. */
export const TERRAFORM = fileURLToPath(new URL("../../terraform/", import.meta.url));

export const ENVIRONMENTS = ["dev", "prod"] as const;
export const HOSTS = { data: "data.example.com", users: "users.example.com" };

const Entry = v.looseObject({
  name: v.string(),
  trigger: v.picklist(["http", "topic", "schedule"]),
  topic: v.optional(v.string()),
});

/** The members of `infra/generated/functions.json` that Terraform reads. */
export const FUNCTIONS_JSON = v.parse(v.array(v.record(v.string(), Json)), readJson("functions.json"));

/** The deployed functions. */
export const FUNCTIONS = v.parse(v.array(Entry), FUNCTIONS_JSON);

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../infra/generated/${file}`, import.meta.url), "utf8"));
}

/** Returns an environment's functions: all except those that its root withholds. */
export async function functionsOf(name: (typeof ENVIRONMENTS)[number]): Promise<typeof FUNCTIONS> {
  const { modules } = await readConfiguration(`${TERRAFORM}environments/${name}`);
  const withheld = modules.get("environment")?.fields.get("withheld");
  const names = Array.isArray(withheld)
    ? withheld.map((one: Written) => ("kind" in one && one.kind === "literal" ? one.value : undefined))
    : [];
  return FUNCTIONS.filter((one) => !names.includes(one.name));
}

/** Plans an environment's root with the minimum of variables. */
export function planEnvironment(name: (typeof ENVIRONMENTS)[number]): Promise<Plan> {
  return plan(`${TERRAFORM}environments/${name}`, {
    project_id: `populus-${name}`,
    delivery_project: `populus-${name}-delivery`,
    hosts: HOSTS,
    alert_emails: ["operator@example.com"],
  });
}

/** Returns the resources of an environment and its customers together, by number of customers. */
export async function plannedForCustomers(counts: readonly number[]): Promise<Map<number, Instances>> {
  const environment = (await planEnvironment("prod")).instances();
  const planned = counts.map(
    async (count) => [count, new Instances([...environment, ...(await planCustomers(count)).instances()])] as const,
  );
  return new Map(await Promise.all(planned));
}

/** Plans the customers' root with a number of customers that have everything a customer can have. */
export function planCustomers(count: number): Promise<Plan> {
  const environments = { prod: { data_project: "populus-prod", delivery_project: "populus-prod-delivery" } };
  return plan(`${TERRAFORM}customers`, { customers: customersOf(count), environments }, "prod");
}

/** Returns customers that have everything a customer can have, by uid. */
export function customersOf(count: number): Fields {
  return Object.fromEntries(
    Array.from({ length: count }, (_none, index) => {
      const name = `Customer ${index}`;
      const customer = { name, environment: "prod", countries: ["EST"], scopes: ["realtime", "warehouse"], scenarios: ["A", "B", "C"] };
      return [`customer${String(index).padStart(4, "0")}`, customer];
    }),
  );
}
