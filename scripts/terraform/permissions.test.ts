import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import functions from "../../infra/generated/functions.json" with { type: "json" };
import { type Connection, functionNeeds, type Needs, openers } from "./function-needs.ts";
import { functionPermissions, NEEDED_WHEN, type Permissions } from "./permissions.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NAMES = functions.map(({ name }) => name);

let needs: Map<string, Needs>;
let known: Map<string, Connection>;
let permissions: Record<string, Permissions>;

beforeAll(async () => {
  needs = await functionNeeds(ROOT);
  known = openers(ROOT);
  permissions = await functionPermissions(ROOT);
});

it("there is a grant for each client that a function may open", () => {
  const clients = [...known].flatMap(([name, connection]) => (connection === "client" ? [name] : []));
  const grantsOf = (opener: string) => {
    const nothing = new Set<string>();
    const none = new Map<string, Connection>();
    const alone = {
      opens: new Set([opener]),
      names: nothing,
      writes: nothing,
      startsJobs: opener === "openWarehouse",
      queriesInteractively: false,
      stopsJobs: false,
    };
    return Object.entries(NEEDED_WHEN).filter(([, isNeeded]) => isNeeded(alone, none));
  };
  expect(clients.length).toBeGreaterThan(5);
  expect(clients.filter((opener) => grantsOf(opener).length === 0)).toEqual([]);
});

it("every deployed function is listed, and every grant is needed by a function", () => {
  expect(Object.keys(permissions)).toEqual(NAMES);
  const used = new Set(Object.values(permissions).flatMap(({ grants }) => grants));
  expect([...used].sort()).toEqual(Object.keys(NEEDED_WHEN).sort());
});

it("only login mints customers' tokens", () => {
  expect(NAMES.filter((name) => permissions[name]?.grants.includes("tokens"))).toEqual(["auth-login"]);
});

it("only the function of URLs signs as customers' accounts", () => {
  expect(NAMES.filter((name) => permissions[name]?.grants.includes("signatures"))).toEqual(["aggregation-urls"]);
});

it("only these functions write the main database, where keys are; all others read it, if anything", () => {
  expect(NAMES.filter((name) => permissions[name]?.grants.includes("store"))).toEqual([
    ...["machine-accounts-create", "machine-accounts-change", "machine-accounts-remove", "customers-request-dataset"],
    ...["maps-create", "maps-update", "maps-delete", "realtime-toggle"],
    ...["aggregation-submit", "aggregation-cancel", "aggregation-run", "aggregation-dead-letter"],
    ...["realtime-measure", "aggregation-sweep", "realtime-refresh", "realtime-sweep", "customers-sweep"],
  ]);
});

it("no function's statement names raw counts but the import's; who reports what has not arrived reads the ledger of loads", () => {
  const named = [...needs].flatMap(([name, { names, writes }]) => [...names, ...writes].map((table) => `${name} ${table}`));
  expect(named.length).toBeGreaterThan(20);
  const raw = named.filter((one) => / (intake|staging)\./.test(one));
  expect(raw.filter((one) => !one.startsWith("loading-import "))).toEqual(["loading-arrivals intake.batches"]);
  expect(raw.length).toBeGreaterThan(1);
  const loading = ["landing", "load_facts", "load_intake", "load_staging"];
  for (const grant of loading) expect(NAMES.filter((name) => permissions[name]?.grants.includes(grant))).toEqual(["loading-import"]);
});

it("each store and client is opened by a function", () => {
  const opened = new Set([...needs.values()].flatMap(({ opens }) => [...opens]));
  expect([...known.keys()].filter((name) => !opened.has(name))).toEqual([]);
  expect([...needs.keys()]).toEqual(NAMES);
});
