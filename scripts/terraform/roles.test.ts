import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { type Connection, functionNeeds, type Needs, openers } from "./function-needs.ts";
import { Instances, keyOf, textArgument } from "./instances.ts";
import { Unknown } from "./language/value.ts";
import { NEEDED_WHEN } from "./permissions.ts";
import { type Instance, plan } from "./plan.ts";
import { ENVIRONMENTS, FUNCTIONS, functionsOf, planCustomers, planEnvironment, TERRAFORM } from "./roots.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NAMES = FUNCTIONS.map(({ name }) => name);
const Tables = v.object({
  grants: v.record(v.string(), v.object({ role: v.string(), on: v.string() })),
  functions: v.record(v.string(), v.array(v.string())),
});

const Config = v.tuple([v.object({ service_account_email: v.instance(Unknown) })]);

let tables: v.InferOutput<typeof Tables>;
let needs: Map<string, Needs>;
let known: Map<string, Connection>;

beforeAll(async () => {
  tables = v.parse(Tables, (await plan(`${TERRAFORM}modules/roles`, { functions: NAMES })).locals);
  needs = await functionNeeds(ROOT);
  known = openers(ROOT);
});

describe("modules/roles/grants.tf", () => {
  it("has a grant for each client that a function may open", () => {
    const clients = [...known].flatMap(([name, connection]) => (connection === "client" ? [name] : []));
    const grantsOf = (opener: string) => {
      const nothing = new Set<string>();
      const alone = { opens: new Set([opener]), names: nothing, writes: nothing, startsJobs: opener === "openWarehouse", stopsJobs: false };
      return Object.keys(NEEDED_WHEN).filter((grant) => NEEDED_WHEN[grant]?.(alone, nothing));
    };
    expect(clients.length).toBeGreaterThan(5);
    expect(clients.filter((opener) => grantsOf(opener).length === 0)).toEqual([]);
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
    expect(Object.keys(NEEDED_WHEN).sort()).toEqual(Object.keys(tables.grants).sort());
    expect(Object.keys(tables.functions)).toEqual(NAMES);
  });

  it("the code analysis works: each store and client is opened by a function", () => {
    const opened = new Set([...needs.values()].flatMap(({ opens }) => [...opens]));
    expect([...known.keys()].filter((name) => !opened.has(name))).toEqual([]);
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
