import { NoRow, type Statement } from "../../../shared/google/statement.ts";

/** One file of `infra/generated/sql`: a statement, or a script of several that are sent as one, with the types of its parameters. */
export interface SqlFile {
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly kind: "ddl" | "query" | "script";
  readonly statement: Statement;
}

/** A file of a statement that a builder has made. */
export function queryFile(name: string, statement: Statement): SqlFile {
  return { name, kind: "query", statement };
}

/** Whoever runs the files in the order of their names makes a dataset before its tables, and tables before the views over them. */
const ORDER: Readonly<Record<string, number>> = { SCHEMA: 0, TABLE: 1, VIEW: 2 };

/** A file of a definition, named for what it makes: `1-table.mobility.batches`. Throws for a text that creates nothing. */
export function ddlFile(sql: string): SqlFile {
  const [, what = "", name] = /^CREATE (?:OR REPLACE )?(SCHEMA|TABLE|VIEW) (?:IF NOT EXISTS )?([\w.]+)/m.exec(sql) ?? [];
  if (name === undefined) throw new Error(`A definition that creates nothing: ${sql}`);
  return { name: `${ORDER[what]}-${what.toLowerCase()}.${name}`, kind: "ddl", statement: { sql, parameters: {}, row: NoRow } };
}

/** A file of a transaction. */
export function scriptFile(name: string, statement: Statement): SqlFile {
  return { name, kind: "script", statement };
}

/** The types of a statement's parameters by name, as GoogleSQL writes them. */
export function parameterTypes({ parameters }: Statement): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, { type }]) => [name, type]));
}

/** A file's content: the types of the parameters as comments, then the text as it is sent to BigQuery. */
export function contentOf({ statement }: SqlFile): string {
  const types = Object.entries(parameterTypes(statement)).map(([name, type]) => `-- @${name} ${type}\n`);
  return `${types.join("")}${statement.sql.trimEnd()}\n`;
}
