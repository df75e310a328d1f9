import { BigQueryError, type TableRead } from "../../model.ts";
import type { Expression } from "../parse/ast.ts";
import { quoteName } from "../sql-type.ts";
import type { Env } from "./env.ts";
import { resolvePath } from "./name.ts";
import { mergedTexts, noteTexts } from "./text-filters.ts";
import type { Column, Read } from "./value.ts";
import { children, conjuncts, hasAggregate, hasSubquery, hasWindow } from "./walk.ts";

const COMPARISONS = ["=", "<", "<=", ">", ">="];

function columnsUsed(node: Expression, env: Env): readonly string[] {
  if (node.kind !== "path") return children(node).flatMap((child) => columnsUsed(child, env));
  // A date part looks like a name but is not one.
  return resolvePath(node, env) ? node.names : [];
}

function isConstant(node: Expression, env: Env): boolean {
  return !hasSubquery(node) && !hasAggregate(node) && !hasWindow(node) && columnsUsed(node, env).length === 0;
}

/** Returns the partition column, given itself or in a form that BigQuery still prunes by: its DATE in UTC or its TIMESTAMP_TRUNC in UTC. */
function partitionColumn(node: Expression, env: Env): Column | undefined {
  if (node.kind === "path") {
    const column = resolvePath(node, env)?.column;
    return column && column.origins.length > 0 ? column : undefined;
  }
  const arity = node.kind === "call" ? ({ DATE: 1, TIMESTAMP_TRUNC: 2 } as Readonly<Record<string, number>>)[node.name] : undefined;
  const [first] = node.kind === "call" && node.args.length === arity ? node.args : [];
  return first?.kind === "path" ? partitionColumn(first, env) : undefined;
}

function sides(node: Expression): readonly (readonly [Expression, readonly Expression[]])[] {
  if (node.kind === "binary" && COMPARISONS.includes(node.operator))
    return [
      [node.left, [node.right]],
      [node.right, [node.left]],
    ];
  if (node.kind === "between" && !node.not) return [[node.of, [node.low, node.high]]];
  if (node.kind === "in-list" && !node.not) return [[node.of, node.items]];
  if (node.kind === "in-unnest" && !node.not) return [[node.of, [node.array]]];
  return [];
}

/** Returns the partition column that a condition restricts by constants and parameters only. Undefined if it does not. */
function restricted(node: Expression, env: Env): Column | undefined {
  if (node.kind === "binary" && (node.operator === "AND" || node.operator === "OR")) {
    const left = restricted(node.left, env);
    const right = left && restricted(node.right, env);
    return right?.sql === left?.sql ? left : undefined;
  }
  for (const [of, constants] of sides(node)) {
    const column = partitionColumn(of, env);
    if (column && constants.every((constant) => isConstant(constant, env))) return column;
  }
  return undefined;
}

/**
 * Adds partition filters to the reads that a condition (WHERE or ON) restricts: the parts of it made only of the partition column,
 * constants and parameters. Notes the texts that it compares columns to. `prunes` says which reads the condition may restrict: for the ON of a LEFT JOIN, only those of the right side.
 */
export function prune(condition: Expression, env: Env, prunes: (read: Read) => boolean = () => true): void {
  for (const conjunct of conjuncts(condition)) {
    noteTexts(conjunct, env, prunes);
    const column = restricted(conjunct, env);
    for (const read of column?.origins ?? []) {
      const name = read.info.partitioning?.column;
      if (name === undefined || !prunes(read)) continue;
      const rename = (other: Column) => (other.sql === column?.sql ? quoteName(name) : other.sql);
      read.filters.push(env.with({ rename }).value(conjunct).sql);
    }
  }
}

function merged(reads: readonly Read[]): TableRead | undefined {
  const [first] = reads;
  if (!first) return undefined;
  const columns = [...new Set(reads.flatMap((read) => [...read.columns]))];
  const filters = [...new Set(reads.map((read) => read.filters.join(" AND ")))];
  const partitionFilter = filters.includes("") ? undefined : filters.map((filter) => `(${filter})`).join(" OR ");
  const texts = mergedTexts(reads);
  return {
    ref: first.info.ref,
    columns,
    ...(partitionFilter === undefined ? {} : { partitionFilter }),
    ...(texts && { texts }),
    ...(first.info.source && { unlisted: first.info }),
  };
}

/** Returns a statement's reads, one per table. Throws if a table that requires a partition filter is read without one. */
export function tableReads(reads: readonly Read[]): readonly TableRead[] {
  const tables = new Map<string, Read[]>();
  for (const read of reads) {
    const { ref, partitioning, requirePartitionFilter } = read.info;
    if (requirePartitionFilter && partitioning && read.filters.length === 0)
      throw new BigQueryError(
        "invalidQuery",
        `Cannot query over table '${ref.dataset}.${ref.table}' without a filter over column(s) '${partitioning.column}' that can be used for partition elimination`,
        "query",
      );
    const name = `${ref.project}.${ref.dataset}.${ref.table}`;
    tables.set(name, [...(tables.get(name) ?? []), read]);
  }
  return [...tables.values()].map(merged).filter((read) => read !== undefined);
}
