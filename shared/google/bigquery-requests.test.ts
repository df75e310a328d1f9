import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import * as v from "valibot";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseConfig } from "../runtime/config.ts";
import { openWarehouse, type Warehouse } from "./bigquery.ts";
import { statement } from "./statement.ts";

const STATEMENT = statement(v.unknown(), "SELECT @country_code, @day, @at, @count, @metres, @ids", {
  country_code: { type: "STRING", value: "'; DROP TABLE" },
  day: { type: "DATE", value: "2026-03-01" },
  at: { type: "TIMESTAMP", value: "2026-03-01T12:05:00.000Z" },
  count: { type: "INT64", value: 9_007_199_254_740_991 },
  metres: { type: "FLOAT64", value: 12.5 },
  ids: { type: "ARRAY<INT64>", value: [51440004116000, 7] },
});
const LABELS = { customer: "acmemobility", job: "4d4e84fa-472f-438b-862c-157d4ee6fd62", product: "odm" };

/** The parts of a request that decide its cost and effect: of a job, or of a query request, which starts a job and waits for it. */
const Query = v.object({
  query: v.string(),
  useLegacySql: v.optional(v.boolean()),
  maximumBytesBilled: v.string(),
  queryParameters: v.array(
    v.object({ name: v.string(), parameterType: v.looseObject({ type: v.string() }), parameterValue: v.looseObject({}) }),
  ),
});
const Labels = v.record(v.string(), v.string());
const Body = v.union([
  v.pipe(
    v.object({ configuration: v.object({ query: Query, labels: Labels, dryRun: v.optional(v.boolean(), false) }) }),
    v.transform(({ configuration: { query, labels, dryRun } }) => ({ ...query, labels, dryRun })),
  ),
  v.pipe(
    v.object({ ...Query.entries, labels: Labels }),
    v.transform((query) => ({ ...query, dryRun: false })),
  ),
]);

const RESERVATION = "projects/slots-admin/locations/europe-north1/reservations/interactive";
/** Where a request names its reservation. */
const InReservation = v.union([
  v.pipe(
    v.object({ configuration: v.object({ query: v.looseObject({}), reservation: v.optional(v.string()) }) }),
    v.transform(({ configuration: { query, reservation } }) => [reservation, "reservation" in query]),
  ),
  v.pipe(
    v.object({ query: v.string(), reservation: v.optional(v.string()) }),
    v.transform(({ reservation }) => [reservation, false]),
  ),
]);

let server: Server;
let warehouse: Warehouse;
let reserved: Warehouse;
let bodies: unknown[] = [];

beforeEach(async () => {
  process.env.METADATA_SERVER_DETECTION = "none";
  bodies = [];
  server = createServer(async (request, response) => {
    if (request.method === "POST") bodies.push(await json(request));
    const statistics = { totalBytesProcessed: "0", query: { referencedTables: [] } };
    const answer = {
      jobComplete: true,
      totalRows: "0",
      schema: { fields: [] },
      rows: [],
      status: { state: "DONE" },
      jobReference: { jobId: "a" },
      statistics,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  const environment = {
    GOOGLE_CLOUD_PROJECT: "populus-sent",
    ENVIRONMENT: "local",
    EXPORT_BUCKET: "exports",
    BYTES_BILLED_MAX: "123456789",
  };
  const config = parseConfig({ ...environment, BIGQUERY_URL: `http://127.0.0.1:${port}` });
  warehouse = openWarehouse(config);
  reserved = openWarehouse(config, { reservation: RESERVATION });
});

afterEach(() => new Promise((closed) => server.close(closed)));

it.each([
  ["started", () => warehouse.start("job", STATEMENT, LABELS), false],
  ["asked", () => warehouse.query(STATEMENT, LABELS), false],
  ["asked within a bound", () => warehouse.queryUpTo(STATEMENT, LABELS, 1e9), false],
  ["tried dry", () => warehouse.dryRun(STATEMENT, LABELS), true],
])(
  "a statement that is %s is sent with its maximum bytes billed, its labels, and its values as parameters only",
  async (_way, send, dryRun) => {
    await send();
    const [body, ...more] = bodies;
    expect(more).toEqual([]);
    expect(v.parse(Body, body)).toEqual({
      query: STATEMENT.sql,
      useLegacySql: false,
      maximumBytesBilled: "123456789",
      labels: LABELS,
      dryRun,
      queryParameters: [
        { name: "country_code", parameterType: { type: "STRING" }, parameterValue: { value: "'; DROP TABLE" } },
        { name: "day", parameterType: { type: "DATE" }, parameterValue: { value: "2026-03-01" } },
        { name: "at", parameterType: { type: "TIMESTAMP" }, parameterValue: { value: "2026-03-01T12:05:00.000Z" } },
        { name: "count", parameterType: { type: "INT64" }, parameterValue: { value: 9_007_199_254_740_991 } },
        { name: "metres", parameterType: { type: "FLOAT64" }, parameterValue: { value: 12.5 } },
        {
          name: "ids",
          parameterType: { type: "ARRAY", arrayType: { type: "INT64" } },
          parameterValue: { arrayValues: [{ value: 51440004116000 }, { value: 7 }] },
        },
      ],
    });
  },
);

it.each([
  ["started", (one: Warehouse) => one.start("job", STATEMENT, LABELS)],
  ["asked", (one: Warehouse) => one.query(STATEMENT, LABELS)],
  ["asked within a bound", (one: Warehouse) => one.queryUpTo(STATEMENT, LABELS, 1e9)],
  ["tried dry", (one: Warehouse) => one.dryRun(STATEMENT, LABELS)],
])("a statement that is %s names the reservation of the warehouse as BigQuery expects it, and none without", async (_way, send) => {
  await send(reserved);
  await send(warehouse);
  expect(bodies.map((body) => v.parse(InReservation, body))).toEqual([
    [RESERVATION, false],
    [undefined, false],
  ]);
});
