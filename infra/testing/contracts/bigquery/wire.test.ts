import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

/** What other clients than Node's send: `True`, members that are new or none of BigQuery's, and the discovery document that they ask for. */
let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({
    ddl: `CREATE SCHEMA facts OPTIONS (location = '${LOCATION}'); CREATE TABLE facts.t (seen TIMESTAMP);
      INSERT INTO facts.t (seen) VALUES (TIMESTAMP '2026-01-02 00:00:00+00')`,
  });
});

afterAll(() => warehouse.close());

async function send(method: string, path: string, body?: object, account = "functions"): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${warehouse.origin}/bigquery/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${warehouse.tokenOf(account)}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const MICROS = "1767312000000000";
const SECONDS = "1.767312E9";
const OF_PROJECT = `projects/${PROJECT}`;

describe("a boolean in a query string", () => {
  it.each([
    ["True", MICROS],
    ["true", MICROS],
    ["TRUE", MICROS],
    ["1", MICROS],
    ["False", SECONDS],
    ["", SECONDS],
  ])("is %j in any form", async (text, value) => {
    const query = `formatOptions.useInt64Timestamp=${text}`;
    const rows = { status: 200, body: { rows: [{ f: [{ v: value }] }] } };
    expect(await send("GET", `${OF_PROJECT}/datasets/facts/tables/t/data?${query}`)).toMatchObject(rows);
    const configuration = { query: { query: "SELECT seen FROM facts.t", useLegacySql: false } };
    const id = `job-${text || "empty"}`;
    await send("POST", `${OF_PROJECT}/jobs`, { jobReference: { jobId: id, location: LOCATION }, configuration });
    expect(await send("GET", `${OF_PROJECT}/queries/${id}?location=${LOCATION}&${query}`)).toMatchObject(rows);
  });

  it("is true also for deleteContents and allUsers", async () => {
    await warehouse.applyDdl(`CREATE SCHEMA gone OPTIONS (location = '${LOCATION}'); CREATE TABLE gone.t (x INT64)`);
    expect(await send("DELETE", `${OF_PROJECT}/datasets/gone?deleteContents=False`)).toMatchObject({ status: 400 });
    expect(await send("DELETE", `${OF_PROJECT}/datasets/gone?deleteContents=True`)).toMatchObject({ status: 204 });
    const job = { configuration: { query: { query: "SELECT 1 AS x" } } };
    const mine = await send("POST", `${OF_PROJECT}/jobs`, job, "warehouse-acmemobi");
    const id = v.parse(v.object({ id: v.string() }), mine.body).id;
    const listed = async (allUsers: string): Promise<string> =>
      JSON.stringify((await send("GET", `${OF_PROJECT}/jobs?allUsers=${allUsers}`)).body);
    expect(await listed("True")).toContain(id);
    expect(await listed("False")).not.toContain(id);
  });

  it("that is none is refused by name", async () => {
    expect(await send("GET", `${OF_PROJECT}/datasets/facts/tables/t/data?formatOptions.useInt64Timestamp=si`)).toMatchObject({
      status: 400,
      body: { error: { message: 'Invalid value for formatOptions.useInt64Timestamp: "si" is neither true nor false.' } },
    });
  });
});

describe("a member of a job", () => {
  const query = "SELECT 1 AS x";
  const insert = (more: object, around: object = {}) =>
    send("POST", `${OF_PROJECT}/jobs`, { configuration: { query: { query, ...more }, ...around }, unknownMember: 1 });

  it("that BigQuery does not know is ignored, and so is one with a value that changes nothing", async () => {
    expect(
      await insert({ continuous: false, skipParsing: true, connectionProperties: [], destinationTable: null }, { x: 1 }),
    ).toMatchObject({
      status: 200,
    });
    const asked = { query, unknownMember: { a: 1 }, formatOptions: { unknownMember: 1 }, createSession: false };
    expect(await send("POST", `${OF_PROJECT}/queries`, asked)).toMatchObject({ status: 200, body: { rows: [{ f: [{ v: "1" }] }] } });
  });

  it("that is a label may be a number or a boolean, and is told as a text", async () => {
    const labels = { run: 7, share: 0.5, test: true, name: "x" };
    const told = { run: "7", share: "0.5", test: "true", name: "x" };
    expect(await insert({}, { labels })).toMatchObject({ status: 200, body: { configuration: { labels: told } } });
    const table = {
      tableReference: { datasetId: "facts", tableId: "labelled" },
      schema: { fields: [{ name: "x", type: "INT64" }] },
      labels,
    };
    expect(await send("POST", `${OF_PROJECT}/datasets/facts/tables`, table, "operator")).toMatchObject({
      status: 200,
      body: { labels: told },
    });
    const changed = { labels: { run: 8, test: null } };
    expect(await send("PATCH", `${OF_PROJECT}/datasets/facts/tables/labelled`, changed, "operator")).toMatchObject({
      status: 200,
      body: { labels: { run: "8", name: "x" } },
    });
    expect(await insert({}, { labels: { run: {} } })).toMatchObject({ status: 400 });
  });

  it("that names a reservation is echoed, by its name in the statistics; one of another form, and one that the caller may not use, is refused", async () => {
    const reservation = "projects/slots-admin/locations/europe-north1/reservations/interactive";
    const id = "in-reservation";
    const body = {
      configuration: { reservation, jobType: "QUERY" },
      statistics: { reservation_id: "slots-admin:europe-north1.interactive" },
    };
    const reference = { jobReference: { jobId: id, location: LOCATION } };
    expect(await send("POST", `${OF_PROJECT}/jobs`, { ...reference, configuration: { query: { query }, reservation } })).toMatchObject({
      body,
    });
    expect(await send("GET", `${OF_PROJECT}/jobs/${id}?location=${LOCATION}`)).toMatchObject({ status: 200, body });
    const asked = await send("POST", `${OF_PROJECT}/queries`, { query, reservation });
    const started = v.parse(v.object({ jobReference: v.object({ jobId: v.string(), location: v.string() }) }), asked.body).jobReference;
    expect(await send("GET", `${OF_PROJECT}/jobs/${started.jobId}?location=${started.location}`)).toMatchObject({ body });
    const onDemand = await insert({}, { reservation: "none" });
    expect([onDemand.status, JSON.stringify(onDemand.body)]).toEqual([200, expect.not.stringContaining("reservation_id")]);
    for (const wrong of ["interactive", "projects/slots-admin/locations/EU", "projects/p/locations/EU/reservations/Interactive"])
      for (const refused of [
        await insert({}, { reservation: wrong }),
        await send("POST", `${OF_PROJECT}/queries`, { query, reservation: wrong }),
      ])
        expect(refused).toMatchObject({
          status: 400,
          body: { error: { message: expect.stringContaining("reservation: must be projects/") } },
        });
    expect(await send("POST", `${OF_PROJECT}/queries`, { query, reservation }, "warehouse-acmemobi")).toMatchObject({
      status: 403,
      body: {
        error: {
          message: expect.stringContaining("bigquery.reservations.use denied on reservation slots-admin:europe-north1.interactive"),
        },
      },
    });
  });

  it("that would change the result is refused by name", async () => {
    for (const [name, value] of Object.entries({
      continuous: true,
      createSession: true,
      connectionProperties: [{ key: "time_zone", value: "Europe/Tallinn" }],
      destinationTable: { projectId: PROJECT, datasetId: "facts", tableId: "new" },
      scriptOptions: { statementTimeoutMs: "1" },
      tableDefinitions: { t: {} },
      schemaUpdateOptions: ["ALLOW_FIELD_ADDITION"],
      userDefinedFunctionResources: [{ inlineCode: "x" }],
    }))
      expect(await insert({ [name]: value })).toMatchObject({
        status: 400,
        body: { error: { message: `configuration.query.${name} is not supported by the local BigQuery.` } },
      });
    expect(await send("POST", `${OF_PROJECT}/queries`, { query, queryResultsFormat: "ARROW" })).toMatchObject({
      status: 400,
      body: { error: { message: "queryResultsFormat is not supported by the local BigQuery." } },
    });
  });
});

describe("a query whose job is optional", () => {
  const ask = (query: string, more: object = {}) =>
    send("POST", `${OF_PROJECT}/queries`, { query, jobCreationMode: "JOB_CREATION_OPTIONAL", ...more });

  it("names no job if the answer is the whole one", async () => {
    const rows = await ask("SELECT 1 AS x");
    expect(rows).toMatchObject({ status: 200, body: { jobComplete: true, queryId: expect.any(String), rows: [{ f: [{ v: "1" }] }] } });
    expect(rows.body).not.toHaveProperty("jobReference");
    expect((await ask("INSERT INTO facts.t (seen) SELECT seen FROM facts.t WHERE FALSE")).body).not.toHaveProperty("jobReference");
  });

  it("names it, and why there is one, if more is to come, and for a script", async () => {
    const named = (code: string) => ({ jobReference: { jobId: expect.any(String) }, jobCreationReason: { code } });
    const paged = await ask("SELECT x FROM UNNEST([1, 2]) AS x", { maxResults: 1 });
    expect(paged).toMatchObject({ status: 200, body: { ...named("LARGE_RESULTS"), pageToken: expect.any(String) } });
    const long = `SELECT SUM(MOD(a * b, 7)) AS x FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a
      CROSS JOIN UNNEST(GENERATE_ARRAY(1, 1000000)) AS b`;
    const running = await ask(long, { timeoutMs: 0 });
    expect(running).toMatchObject({ status: 200, body: { ...named("LONG_RUNNING"), jobComplete: false } });
    const { jobId } = v.parse(v.object({ jobReference: v.object({ jobId: v.string() }) }), running.body).jobReference;
    await send("POST", `${OF_PROJECT}/jobs/${jobId}/cancel`);
    expect(await ask("SELECT 1 AS x; SELECT 2 AS x")).toMatchObject({ status: 200, body: named("OTHER") });
  });

  it("has its rows with Node's client", async () => {
    const client = warehouse.client;
    const [rows] = await client.query({ query: "SELECT 1 AS x", jobCreationMode: "JOB_CREATION_OPTIONAL" });
    expect(rows).toEqual([{ x: 1 }]);
  });
});

const Method = v.object({
  id: v.string(),
  path: v.string(),
  httpMethod: v.string(),
  parameterOrder: v.array(v.string()),
  parameters: v.record(v.string(), v.object({ type: v.string(), location: v.string() })),
  request: v.optional(v.object({ $ref: v.string() })),
  response: v.optional(v.object({ $ref: v.string() })),
});
const Discovery = v.object({
  rootUrl: v.string(),
  baseUrl: v.string(),
  schemas: v.record(v.string(), v.object({ id: v.string() })),
  resources: v.record(v.string(), v.object({ methods: v.record(v.string(), Method) })),
});

describe("the discovery document", () => {
  it.each(["/$discovery/rest?version=v2", "/$discovery/rest", "/discovery/v1/apis/bigquery/v2/rest"])(
    "is at %s, without a token",
    async (path) => {
      const answer = await fetch(warehouse.origin + path);
      expect(answer.status).toBe(200);
      const { rootUrl, baseUrl } = v.parse(Discovery, await answer.json());
      expect([rootUrl, baseUrl]).toEqual([`${warehouse.origin}/`, `${warehouse.origin}/bigquery/v2/`]);
    },
  );

  it("of another version is not found", async () => {
    expect((await fetch(`${warehouse.origin}/$discovery/rest?version=v1`)).status).toBe(404);
  });

  it("names the body of every method, and methods that a customer calls answer something else than 501", async () => {
    const { resources, schemas } = v.parse(Discovery, await (await fetch(`${warehouse.origin}/$discovery/rest`)).json());
    const methods = Object.values(resources).flatMap(({ methods }) => Object.values(methods));
    for (const { request, response } of methods)
      for (const body of [request, response]) if (body) expect(schemas[body.$ref]).toMatchObject({ id: body.$ref });
    const unserved: string[] = [];
    for (const { id, httpMethod, path, parameterOrder } of methods) {
      const values: Readonly<Record<string, string>> = { projectId: PROJECT, datasetId: "facts", tableId: "t", jobId: "none" };
      const filled = parameterOrder.reduce((text, name) => text.replace(`{+${name}}`, values[name] ?? ""), path);
      const { status } = await send(
        httpMethod,
        filled,
        httpMethod === "GET" || httpMethod === "DELETE" ? undefined : {},
        "warehouse-acmemobi",
      );
      if (status === 501) unserved.push(id);
    }
    expect(unserved).toEqual(["bigquery.datasets.update", "bigquery.tables.update", "bigquery.jobs.delete"]);
  });

  it("leads to the routines, of which there are none", async () => {
    expect(await send("GET", `${OF_PROJECT}/datasets/facts/routines`)).toEqual({ status: 200, body: { routines: [] } });
    expect(await send("GET", `${OF_PROJECT}/datasets/facts/routines`, undefined, "warehouse-acmemobi")).toMatchObject({ status: 403 });
    expect(await send("GET", `${OF_PROJECT}/datasets/none/routines`, undefined, "operator")).toMatchObject({ status: 404 });
  });

  it("leads to the one project", async () => {
    expect(await send("GET", "projects", undefined, "warehouse-acmemobi")).toMatchObject({
      status: 200,
      body: { projects: [{ id: PROJECT, projectReference: { projectId: PROJECT } }], totalItems: 1 },
    });
    expect(await send("GET", "projects", undefined, "storage-acmemobi")).toMatchObject({ status: 200, body: { projects: [] } });
  });
});
