import { createHash } from "node:crypto";
import { BigQueryError, type Field } from "../local/bigquery/model.ts";
import { parseScript } from "../local/bigquery/sql/parse/script.ts";
import type { ColumnAddition, StatementNode } from "../local/bigquery/sql/parse/statement-ast.ts";
import { fieldOfType, typeNamed } from "../local/bigquery/sql/sql-type.ts";

/** A file of `infra/warehouse/migrations`: columns that tables gained after a release. */
export interface Migration {
  readonly number: number;
  /** The file's name without `.sql`. */
  readonly name: string;
  /** SHA-256 of the file's text. An applied migration never changes. */
  readonly checksum: string;
  readonly steps: readonly MigrationStep[];
}

/** One ALTER TABLE. BigQuery runs it where the table's dataset is, so steps run one by one. */
interface MigrationStep {
  readonly sql: string;
  /** `dataset.table` */
  readonly table: string;
  readonly columns: readonly Field[];
}

/** A file of the folder: its name and its text. */
export interface MigrationFile {
  readonly file: string;
  readonly text: string;
}

const ALLOWED = "only ALTER TABLE dataset.table ADD COLUMN IF NOT EXISTS name TYPE is allowed";

/**
 * Parses migrations, in order. A migration only adds NULLABLE columns: then the former release runs on the new tables and the new release on
 * the former ones. Throws an Error with a line for each fault: names that are not NNN-words.sql and consecutive from 001, other statements,
 * columns that are not NULLABLE, arrays and structs.
 */
export function parseMigrations(files: readonly MigrationFile[]): readonly Migration[] {
  const faults: string[] = [];
  const migrations = files
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ file, text }, index): Migration => {
      const expected = String(index + 1).padStart(3, "0");
      if (!/^\d{3}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.test(file) || !file.startsWith(expected))
        faults.push(`${file}: must be named ${expected}-words.sql: migrations are numbered from 001 without gaps`);
      return {
        number: index + 1,
        name: file.replace(/\.sql$/, ""),
        checksum: createHash("sha256").update(text).digest("hex"),
        steps: stepsOf(text, (fault) => faults.push(`${file}: ${fault}`)),
      };
    });
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return migrations;
}

function stepsOf(text: string, report: (fault: string) => void): MigrationStep[] {
  let nodes: readonly StatementNode[];
  try {
    nodes = parseScript(text);
  } catch (error) {
    if (!(error instanceof BigQueryError)) throw error;
    report(`${error.message}; ${ALLOWED}`);
    return [];
  }
  return nodes.flatMap((node, index) => {
    if (node.kind !== "add-columns" || node.table.names.length !== 2) {
      report(`statement ${index + 1}: ${ALLOWED}`);
      return [];
    }
    const table = node.table.names.join(".");
    const columns = node.columns.flatMap((addition) => {
      const column = columnOf(addition);
      if (typeof column !== "string") return [column];
      report(`${table}.${addition.definition.name}: ${column}`);
      return [];
    });
    return [{ sql: text.slice(node.at, nodes[index + 1]?.at).trim(), table, columns }];
  });
}

/** Returns the column, or what is wrong with it. */
function columnOf({ definition, ifNotExists }: ColumnAddition): Field | string {
  const { name, type, required, options } = definition;
  if (!ifNotExists) return "must be added IF NOT EXISTS: a migration that was interrupted runs again";
  if (required) return "must be NULLABLE: rows of the former release have no value for it";
  const scalar = type.kind === "plain" && type.type.kind === "scalar" ? typeNamed(type.type) : undefined;
  if (scalar === undefined) return "must be of a scalar type: arrays and structs are REPEATED or have parts of their own";
  const described = options.find((option) => option.name === "description")?.value;
  const description = described?.kind === "literal" ? { description: described.text } : {};
  return { ...fieldOfType(name, scalar), ...description };
}
