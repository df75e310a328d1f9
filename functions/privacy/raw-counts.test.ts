import * as v from "valibot";
import { beforeAll, describe, expect, it } from "vitest";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";

const Minted = v.object({ access_token: v.string() });
const Login = v.object({ accessToken: v.string() });
const Answer = v.object({ rows: v.optional(v.array(v.object({ f: v.tuple([v.object({ v: v.string() })]) }))) });

const COUNT = "SELECT COUNT(*) AS n FROM `intake.activities_hourly` WHERE loaded_on > '1970-01-01' AND devices < 5";

/** Runs a query as the holder of a token. */
async function query(token: string, sql: string) {
  const response = await fetch(`${ready.bigquery_endpoint}/bigquery/v2/projects/${ready.project}/queries`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: sql, useLegacySql: false, location: "europe-north1" }),
  });
  return { status: response.status, rows: v.parse(Answer, await response.json()).rows };
}

/** Returns the token of a service account of the machine: `default` is the one as which all functions run. */
async function accountToken(name: string): Promise<string> {
  const url = `http://${ready.metadata_host}/computeMetadata/v1/instance/service-accounts/${name}/token`;
  return v.parse(Minted, await (await fetch(url, { headers: { "metadata-flavor": "Google" } })).json()).access_token;
}

describe("the raw counts of the running service", () => {
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    const customer = await newCustomer();
    const login = (service: string) =>
      call("users", "POST", "/login-with-apikey", {
        key: keyOf(customer, service),
        body: service === "warehouse" ? { service } : undefined,
      });
    for (const service of ["storage", "warehouse"]) tokens.set(service, v.parse(Login, (await login(service)).body).accessToken);
    tokens.set("functions", await accountToken("default"));
  });

  it("are there, for the account of loads", async () => {
    const { rows } = await query(await accountToken(`loader@${ready.project}.iam.gserviceaccount.com`), COUNT);
    expect(Number(rows?.[0]?.f[0].v)).toBeGreaterThan(1000);
  });

  it.each(["functions", "warehouse", "storage"])("are not for the token of %s, nor are their names", async (holder) => {
    const token = tokens.get(holder) ?? "";
    for (const sql of [
      COUNT,
      "SELECT table_name FROM intake.INFORMATION_SCHEMA.TABLES",
      "SELECT table_name FROM staging.INFORMATION_SCHEMA.TABLES",
    ])
      expect(await query(token, sql), sql).toEqual({ status: 403, rows: undefined });
  });
});
