import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { functionNeeds, type Needs, openers } from "./function-needs.ts";
import { Instances, keyOf, textArgument } from "./instances.ts";
import { Unknown } from "./language/value.ts";
import { type Instance, plan } from "./plan.ts";
import { ENVIRONMENTS, FUNCTIONS, functionsOf, planCustomers, planEnvironment, TERRAFORM } from "./roots.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NAMES = FUNCTIONS.map(({ name }) => name);
const Tables = v.object({
  grants: v.record(v.string(), v.object({ role: v.string(), on: v.string(), opened_by: v.pipe(v.array(v.string()), v.minLength(1)) })),
  functions: v.record(v.string(), v.array(v.string())),
});

const Config = v.tuple([v.object({ service_account_email: v.instance(Unknown) })]);

/** When code needs a grant on the warehouse, which has several. For all other stores and clients, opening means needing. */
const WAREHOUSE_NEEDS: Readonly<Record<string, (needs: Needs) => boolean>> = {
  warehouse_jobs: ({ startsJobs, opens }) => startsJobs || opens.has("openHeadcountsCopy"),
  // The permission to start jobs includes stopping one's own.
  stop_warehouse_jobs: ({ startsJobs, stopsJobs }) => stopsJobs && !startsJobs,
  read_facts: ({ names }) => [...names].some((table) => table.startsWith("mobility.")),
  read_monitored_maps: ({ names, writes }) => names.has("realtime.monitored_maps") && !writes.has("realtime.monitored_maps"),
  write_monitored_maps: ({ writes, opens }) => writes.has("realtime.monitored_maps") || opens.has("openMonitoredMaps"),
  write_headcounts: ({ writes }) => writes.has("realtime.headcounts"),
  forget_headcounts_copy: ({ writes }) => writes.has("realtime_eu.headcounts"),
};

let tables: v.InferOutput<typeof Tables>;
let needs: Map<string, Needs>;
let known: Set<string>;

beforeAll(async () => {
  tables = v.parse(Tables, (await plan(`${TERRAFORM}modules/roles`, { functions: NAMES })).locals);
  needs = await functionNeeds(ROOT);
  known = openers(ROOT);
});

/** Returns the grants that a function's code needs. */
function neededBy(name: string): string[] {
  const found = needs.get(name);
  if (found === undefined) throw new Error(`No code was read of ${name}`);
  return Object.entries(tables.grants)
    .filter(([grant, { opened_by }]) => opened_by.some((one) => found.opens.has(one)) && (WAREHOUSE_NEEDS[grant]?.(found) ?? true))
    .map(([grant]) => grant);
}

describe("modules/roles/grants.tf", () => {
  it("a function has exactly the grants that its code needs", () => {
    const given = NAMES.map((name) => [name, tables.functions[name]?.toSorted()]);
    expect(given).toEqual(NAMES.map((name) => [name, neededBy(name).sort()]));
  });

  it("a function has a grant for everything that it opens", () => {
    for (const name of NAMES) {
      const allowed = (tables.functions[name] ?? []).flatMap((grant) => tables.grants[grant]?.opened_by ?? []);
      expect([name, [...(needs.get(name)?.opens ?? [])].filter((one) => !allowed.includes(one))]).toEqual([name, []]);
    }
  });

  it("a function can read or write every table in its statements", () => {
    for (const name of NAMES) {
      const on = (tables.functions[name] ?? []).map((grant) => tables.grants[grant]);
      const reach = (table: string, role: string) =>
        on.some((grant) => grant?.role.startsWith(role) && [`dataset:${table.split(".")[0]}`, `table:${table}`].includes(grant.on));
      const { names = new Set<string>(), writes = new Set<string>() } = needs.get(name) ?? {};
      expect([name, [...names].filter((table) => !reach(table, "roles/bigquery.data"))]).toEqual([name, []]);
      expect([name, [...writes].filter((table) => !reach(table, "roles/bigquery.dataEditor"))]).toEqual([name, []]);
    }
  });

  it("lists every deployed function, and every grant belongs to a function, for existing reasons", () => {
    expect(NAMES.filter((name) => tables.functions[name] === undefined)).toEqual([]);
    const used = new Set(Object.values(tables.functions).flat());
    expect([...used].sort()).toEqual(Object.keys(tables.grants).sort());
    expect(Object.keys(WAREHOUSE_NEEDS).filter((grant) => tables.grants[grant] === undefined)).toEqual([]);
    expect(Object.keys(tables.functions).filter((name) => !NAMES.includes(name))).toEqual([]);
    const reasons = Object.values(tables.grants).flatMap(({ opened_by }) => opened_by);
    expect(reasons.filter((name) => !known.has(name))).toEqual([]);
  });

  it("the code analysis works: each store and client is opened by a function", () => {
    const opened = new Set([...needs.values()].flatMap(({ opens }) => [...opens]));
    expect([...known].filter((name) => !opened.has(name))).toEqual([]);
    expect([...needs.keys()]).toEqual(NAMES);
  });
});

describe.each(ENVIRONMENTS)("in %s", (environment) => {
  it("each grant is one member of one policy, for the function's own account, and there are no other members", async () => {
    const instances = new Instances((await planEnvironment(environment)).instances());
    const accounts = new Map(
      instances.of("google_cloudfunctions2_function").map((one) => {
        const config = v.parse(Config, one.arguments.service_config);
        return [textArgument(one, "name"), instances.named(config[0].service_account_email)];
      }),
    );
    const granted = instances.all.filter(({ type }) => type.includes("_iam_member") || type === "google_bigquery_dataset_access");
    const held = (account: Instance) =>
      granted.filter(({ arguments: { member = null, user_by_email = null } }) =>
        instances.references([member, user_by_email]).includes(account),
      );
    for (const { name } of await functionsOf(environment)) {
      const account = accounts.get(name);
      if (account === undefined) throw new Error(`${name} is not deployed`);
      expect(account.address).toContain(`module.function["${name}"].google_service_account`);
      const onItself = (tables.functions[name] ?? []).filter((grant) => tables.grants[grant]?.on !== "customer_accounts");
      expect(held(account).map(keyOf).sort()).toEqual(onItself.map((grant) => `${name}/${grant}`).sort());
    }
  });
});

it("only the function with the grant mints customers' tokens, as the account of its environment", async () => {
  const minters = Object.entries(tables.functions).filter(([, grants]) =>
    grants.some((grant) => tables.grants[grant]?.on === "customer_accounts"),
  );
  expect(minters.map(([name]) => name)).toEqual(["auth-login"]);
  const environment = new Instances((await planEnvironment("prod")).instances());
  const account = environment.of("google_service_account").find(({ address }) => address.includes('module.function["auth-login"]'));
  const email = `serviceAccount:${account && textArgument(account, "account_id")}@populus-prod.iam.gserviceaccount.com`;
  const customers = new Instances((await planCustomers(2)).instances());
  const grants = customers.of("google_service_account_iam_member");
  expect(grants.map(({ arguments: { member } }) => member)).toEqual(Array.from({ length: 4 }, () => email));
  const permissions = grants.map(({ arguments: { role } }) => customers.named(role).arguments.permissions);
  expect(permissions).toEqual(Array.from({ length: 4 }, () => ["iam.serviceAccounts.getAccessToken"]));
});
