import { NoRow, type Statement } from "../../../shared/google/statement.ts";

/** One file of `infra/generated/sql`: a statement or a script that is sent as one, with its parameters. */
export interface SqlFile {
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly kind: "ddl" | "query" | "script";
  readonly statement: Statement;
}

/** Returns the file of a query. */
export function queryFile(name: string, statement: Statement): SqlFile {
  return { name, kind: "query", statement };
}

/** Prefixes that sort datasets before tables and tables before views, so that the files can run in name order. */
const ORDER: Readonly<Record<string, number>> = { SCHEMA: 0, TABLE: 1, VIEW: 2 };

/** Returns the file of a definition, named after what it creates: `1-table.mobility.batches`. Throws if it creates nothing. */
export function ddlFile(sql: string): SqlFile {
  const [, what = "", name] = /^CREATE (?:OR REPLACE )?(SCHEMA|TABLE|VIEW) (?:IF NOT EXISTS )?([\w.]+)/m.exec(sql) ?? [];
  if (name === undefined) throw new Error(`A definition that creates nothing: ${sql}`);
  return { name: `${ORDER[what]}-${what.toLowerCase()}.${name}`, kind: "ddl", statement: { sql, parameters: {}, row: NoRow } };
}

/** Returns the file of a transaction. */
export function scriptFile(name: string, statement: Statement): SqlFile {
  return { name, kind: "script", statement };
}

/** Returns the GoogleSQL types of a statement's parameters by name. */
export function parameterTypes({ parameters }: Statement): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, { type }]) => [name, type]));
}

/** Returns a file's content: the parameter types as comments, then the text as sent to BigQuery. */
export function contentOf({ statement }: SqlFile): string {
  const types = Object.entries(parameterTypes(statement)).map(([name, type]) => `-- @${name} ${type}\n`);
  return `${types.join("")}${statement.sql.trimEnd()}\n`;
}
