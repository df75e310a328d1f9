import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { exportData } from "../export/export-data.ts";
import type { ExportSink } from "../export/sink.ts";
import { BigQueryError, type Statement } from "../model.ts";
import type { ParameterValues } from "../sql/parameter-values.ts";
import { type MetadataCatalog, sourceName } from "../warehouse/catalog.ts";
import type { Definitions } from "../warehouse/definitions.ts";
import { canonicalLocation } from "../warehouse/locations.ts";
import type { StreamingBuffer } from "../warehouse/streaming-buffer.ts";
import { cellEncoder, encodeRows } from "../wire/cells.ts";
import type { DmlStatistics, Job } from "./job.ts";
import type { Outcome } from "./outcome.ts";
import type { ResultStore } from "./results.ts";
import { withViewFields } from "./view-fields.ts";

export interface StatementEnvironment {
  readonly connection: DuckDBConnection;
  readonly values: ParameterValues;
  readonly job: Job;
  readonly catalog: MetadataCatalog;
  readonly definitions: Definitions;
  readonly results: ResultStore;
  readonly sink: ExportSink;
  readonly streamed: StreamingBuffer;
  readonly now: () => number;
  readonly tempDir: string;
  /** The dataset's location if a CREATE SCHEMA names none. */
  readonly location: string;
  /** Records that the statement is done. Called at the end of each transaction that changes definitions. */
  readonly mark: () => Promise<void>;
}

type Of<Kind extends Statement["kind"]> = Extract<Statement, { kind: Kind }>;

/** Runs one statement other than BEGIN, COMMIT and ROLLBACK. Throws DuckDB's errors unchanged. */
export async function execute(environment: StatementEnvironment, statement: Exclude<Statement, Of<"transaction">>): Promise<Outcome> {
  switch (statement.kind) {
    case "select":
      return select(environment, statement);
    case "dml":
      await environment.streamed.assertUntouched(environment.connection, statement, environment.values, environment.now());
      return { dml: await change(environment, statement) };
    case "export":
      return { exported: await exportData(environment, statement) };
    case "create-table":
      return createTable(environment, statement);
    case "create-view":
      return createView(environment, statement);
    case "create-schema":
      return createSchema(environment, statement);
    case "add-columns":
      return addColumns(environment, statement);
    case "drop":
      return drop(environment, statement);
  }
}

async function select({ connection, values, job, results }: StatementEnvironment, statement: Of<"select">): Promise<Outcome> {
  const prepared = await values.prepare(connection, statement.sql);
  try {
    const { schema: fields } = statement;
    const encoders = fields.map(cellEncoder);
    const rows = results.create(fields);
    try {
      await job.statement(async () => {
        const stream = await prepared.stream();
        for (let chunk = await stream.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await stream.fetchChunk()) {
          job.throwIfStopped();
          await rows.add(encodeRows(chunk, encoders));
        }
      });
    } catch (error) {
      await results.remove(rows);
      throw error;
    }
    await results.touch(rows);
    return { rows, schema: fields };
  } finally {
    prepared.destroySync();
  }
}

async function change({ connection, values, job }: StatementEnvironment, { verb, sql, source }: Of<"dml">): Promise<DmlStatistics> {
  if (source !== undefined && !(await finds(job, await values.prepare(connection, source)))) return { inserted: 0, updated: 0, deleted: 0 };
  const prepared = await values.prepare(connection, verb === "MERGE" ? `${sql} RETURNING merge_action` : sql);
  try {
    const counts = { inserted: 0, updated: 0, deleted: 0 };
    if (verb === "MERGE") {
      await job.statement(async () => {
        const actions = await prepared.stream();
        for await (const rows of actions.yieldRows())
          for (const [action] of rows) counts[action === "INSERT" ? "inserted" : action === "UPDATE" ? "updated" : "deleted"] += 1;
      });
      return counts;
    }
    const { rowsChanged } = await job.statement(() => prepared.run());
    counts[verb === "INSERT" ? "inserted" : verb === "UPDATE" ? "updated" : "deleted"] = rowsChanged;
    return counts;
  } finally {
    prepared.destroySync();
  }
}

/** Returns whether a query finds a row. */
async function finds(job: Job, query: DuckDBPreparedStatement): Promise<boolean> {
  try {
    return (await job.statement(() => query.runAndReadAll())).currentRowCount > 0;
  } finally {
    query.destroySync();
  }
}

async function createTable(
  { connection, values, job, definitions, mark }: StatementEnvironment,
  statement: Of<"create-table">,
): Promise<Outcome> {
  const { table, as } = statement;
  if (!as) {
    const made = await definitions.createTable(connection, table, statement, {}, mark);
    return { ddl: { operation: operation(made !== undefined, statement.replace), table: table.ref } };
  }
  const made = await definitions.createTable(connection, table, statement, {}, async () => {
    const insert = await values.prepare(connection, `INSERT INTO ${sourceName(table.ref)} ${as.sql}`);
    try {
      await job.statement(() => insert.run());
    } finally {
      insert.destroySync();
    }
    await mark();
  });
  return { ddl: { operation: operation(made !== undefined, statement.replace), table: table.ref } };
}

async function createView(
  { connection, catalog, definitions, mark }: StatementEnvironment,
  statement: Of<"create-view">,
): Promise<Outcome> {
  const info = withViewFields(catalog, statement.table);
  const made = await definitions.createTable(connection, info, statement, {}, mark);
  return { ddl: { operation: operation(made !== undefined, statement.replace), table: info.ref } };
}

async function createSchema(environment: StatementEnvironment, statement: Of<"create-schema">): Promise<Outcome> {
  const { connection, definitions, location, mark } = environment;
  const { dataset: id, description, defaultTableExpirationMs, ifNotExists } = statement;
  const datasetLocation = canonicalLocation(statement.location ?? location);
  await definitions.createDataset(connection, { id, location: datasetLocation, description, defaultTableExpirationMs }, ifNotExists, mark);
  return { ddl: { operation: "CREATE" } };
}

async function addColumns({ connection, definitions, mark }: StatementEnvironment, statement: Of<"add-columns">): Promise<Outcome> {
  const { ref, columns } = statement;
  await definitions.addColumns(connection, ref, columns, mark);
  return { ddl: { operation: "ALTER", table: ref } };
}

async function drop({ connection, definitions, mark }: StatementEnvironment, { what, ref, ifExists }: Of<"drop">): Promise<Outcome> {
  const found = definitions.find(ref);
  if (!found && ifExists) return { ddl: { operation: "SKIP", table: ref } };
  if (found && (found.view !== undefined) !== (what === "VIEW"))
    throw new BigQueryError(
      "invalidQuery",
      `Cannot drop ${ref.project}:${ref.dataset}.${ref.table} which has type ${found.view === undefined ? "TABLE" : "VIEW"}. Use DROP ${found.view === undefined ? "TABLE" : "VIEW"} instead.`,
    );
  await definitions.dropTable(connection, ref, mark);
  return { ddl: { operation: "DROP", table: ref } };
}

function operation(made: boolean, replace: boolean): string {
  if (!made) return "SKIP";
  return replace ? "REPLACE" : "CREATE";
}
