import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  LOCATION,
  LONGER_UID,
  PROJECT,
  startWarehouseUnderTest,
  UID,
  type WarehouseUnderTest,
} from "../../engines/warehouse-under-test.ts";

const OWN = `customer_${UID}`;
const VIEW = `SELECT day, people FROM \`${PROJECT}.facts.counts\``;
const DDL = `
  CREATE SCHEMA facts OPTIONS (location = '${LOCATION}');
  CREATE TABLE facts.counts (day DATE NOT NULL, cell INT64, people INT64, \`at\` TIMESTAMP, tags ARRAY<STRUCT<name STRING>>)
    PARTITION BY day CLUSTER BY cell, people;
  CREATE TABLE facts.months (day DATE) PARTITION BY DATE_TRUNC(day, MONTH);
  CREATE SCHEMA empty OPTIONS (location = '${LOCATION}');
  CREATE SCHEMA ${OWN} OPTIONS (location = '${LOCATION}');
  CREATE VIEW ${OWN}.realtime_data AS ${VIEW};
  CREATE SCHEMA customer_${LONGER_UID} OPTIONS (location = '${LOCATION}');
  CREATE VIEW customer_${LONGER_UID}.realtime_data AS ${VIEW};
`;

let warehouse: WarehouseUnderTest;
let service: BigQuery;
let reader: BigQuery;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: DDL });
  service = warehouse.client;
  reader = warehouse.clientOf(`warehouse-${UID}`);
});

afterAll(() => warehouse.close());

describe("INFORMATION_SCHEMA of a dataset", () => {
  it("TABLES has its tables and views, with the statement that makes each again", async () => {
    const [rows] = await service.query(
      "SELECT table_name, table_type, is_insertable_into, is_typed, creation_time, ddl FROM facts.INFORMATION_SCHEMA.TABLES ORDER BY table_name",
    );
    const created = { value: "2026-01-15T12:00:00.000Z" };
    expect(rows).toEqual([
      {
        table_name: "counts",
        table_type: "BASE TABLE",
        is_insertable_into: "YES",
        is_typed: "NO",
        creation_time: created,
        ddl: `CREATE TABLE \`${PROJECT}.facts.counts\`\n(\n  day DATE NOT NULL,\n  cell INT64,\n  people INT64,\n  \`at\` TIMESTAMP,\n  tags ARRAY<STRUCT<name STRING>>\n)\nPARTITION BY day\nCLUSTER BY cell, people;`,
      },
      {
        table_name: "months",
        table_type: "BASE TABLE",
        is_insertable_into: "YES",
        is_typed: "NO",
        creation_time: created,
        ddl: `CREATE TABLE \`${PROJECT}.facts.months\`\n(\n  day DATE\n)\nPARTITION BY DATE_TRUNC(day, MONTH);`,
      },
    ]);
  });

  it("COLUMNS has every column with its type, order, partition and clustering", async () => {
    const [rows] = await service.query(
      "SELECT c.column_name, c.ordinal_position, c.is_nullable, c.data_type, c.is_partitioning_column, c.clustering_ordinal_position FROM facts.INFORMATION_SCHEMA.COLUMNS AS c WHERE table_name = 'counts' ORDER BY ordinal_position",
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["day", 1, "NO", "DATE", "YES", null],
      ["cell", 2, "YES", "INT64", "NO", 1],
      ["people", 3, "YES", "INT64", "NO", 2],
      ["at", 4, "YES", "TIMESTAMP", "NO", null],
      ["tags", 5, "YES", "ARRAY<STRUCT<name STRING>>", "NO", null],
    ]);
  });

  it("has the columns of BigQuery's reference also for a dataset without tables", async () => {
    const [job] = await service.createQueryJob("SELECT * FROM empty.INFORMATION_SCHEMA.VIEWS");
    const [rows, , answer] = await job.getQueryResults();
    expect(rows).toEqual([]);
    expect(answer?.schema?.fields?.map(({ name, type }) => [name, type])).toEqual(
      ["table_catalog", "table_schema", "table_name", "view_definition", "check_option", "use_standard_sql"].map((name) => [
        name,
        "STRING",
      ]),
    );
  });

  it("has no constraints, with the columns by which the JDBC drivers join them", async () => {
    const [rows] = await service.query(
      "SELECT k.column_name, k.ordinal_position, k.position_in_unique_constraint, c.enforced, u.table_name FROM facts.INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS c JOIN facts.INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k USING (constraint_name) JOIN facts.INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE AS u USING (constraint_name) WHERE c.constraint_type = 'PRIMARY KEY'",
    );
    expect(rows).toEqual([]);
  });

  it("shows what was defined since the last query", async () => {
    const count = async (): Promise<unknown> =>
      (
        await service.query(
          "SELECT COUNT(*) AS n FROM empty.INFORMATION_SCHEMA.TABLES AS t JOIN empty.INFORMATION_SCHEMA.COLUMNS USING (table_name)",
        )
      )[0];
    expect(await count()).toEqual([{ n: 0 }]);
    await warehouse.applyDdl("CREATE TABLE empty.new (a INT64, b STRING)");
    expect(await count()).toEqual([{ n: 2 }]);
    await warehouse.applyDdl("DROP TABLE empty.new");
    expect(await count()).toEqual([{ n: 0 }]);
  });

  it.each([
    [
      "facts.INFORMATION_SCHEMA.PARTITIONS",
      400,
      "INFORMATION_SCHEMA.PARTITIONS is not supported by the local BigQuery: TABLES, COLUMNS, VIEWS, TABLE_CONSTRAINTS, KEY_COLUMN_USAGE, CONSTRAINT_COLUMN_USAGE are",
    ],
    ["information_schema.tables", 400, "must be qualified with a dataset"],
    ["INFORMATION_SCHEMA.TABLES", 400, "must be qualified with a dataset"],
    ["nothing.INFORMATION_SCHEMA.TABLES", 404, "Not found: Dataset demo-local:nothing"],
  ])("of %s answers %i", async (name, code, words) => {
    await expect(service.query(`SELECT * FROM ${name}`)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it("after a definition in the same script is refused, not answered from before it", async () => {
    const script = "CREATE TABLE empty.new (a INT64); SELECT * FROM empty.INFORMATION_SCHEMA.TABLES";
    await expect(service.query(script)).rejects.toMatchObject({
      message: expect.stringContaining("after a definition in the same script"),
    });
  });
});

describe("a customer's reader", () => {
  it.each([
    `${OWN}.INFORMATION_SCHEMA.VIEWS`,
    `\`${PROJECT}.${OWN}.INFORMATION_SCHEMA.VIEWS\``,
    `\`${PROJECT}\`.${OWN}.information_schema.views`,
  ])("sees its own dataset in %s", async (name) => {
    const [rows] = await reader.query(`SELECT * FROM ${name}`);
    expect(rows).toEqual([
      {
        table_catalog: PROJECT,
        table_schema: OWN,
        table_name: "realtime_data",
        view_definition: VIEW,
        check_option: null,
        use_standard_sql: "YES",
      },
    ]);
  });

  it("sees it as its default dataset", async () => {
    const query = "SELECT table_name FROM INFORMATION_SCHEMA.COLUMNS WHERE column_name = 'people'";
    expect((await reader.query({ query, defaultDataset: { datasetId: OWN } }))[0]).toEqual([{ table_name: "realtime_data" }]);
  });

  it.each([
    `customer_${LONGER_UID}.INFORMATION_SCHEMA.TABLES`,
    "facts.INFORMATION_SCHEMA.COLUMNS",
    "nothing.INFORMATION_SCHEMA.TABLES",
    `\`other-project\`.${OWN}.INFORMATION_SCHEMA.TABLES`,
    "`region-europe-north1`.INFORMATION_SCHEMA.TABLES",
    "`region-europe-north1`.INFORMATION_SCHEMA.JOBS_BY_USER",
    `\`${PROJECT}\`.\`region-europe-north1\`.INFORMATION_SCHEMA.JOBS_BY_USER`,
    "`region-europe-north1`.INFORMATION_SCHEMA.SCHEMATA",
  ])("may not see %s", async (name) => {
    for (const query of [`SELECT * FROM ${name}`, `SELECT (SELECT COUNT(*) FROM ${name}) AS n FROM ${OWN}.INFORMATION_SCHEMA.TABLES`])
      await expect(reader.query(query)).rejects.toMatchObject({
        code: 403,
        errors: [
          { reason: "accessDenied", message: expect.stringMatching(/^Access Denied: Table \S+INFORMATION_SCHEMA\.\w+: User does not/) },
        ],
      });
  });
});
