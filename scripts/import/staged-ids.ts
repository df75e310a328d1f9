import { onlyRow } from "../../shared/google/statement.ts";
import type { LoadedTable } from "../../shared/products/loaded-tables.ts";
import { NESTED_LEVELS } from "../../shared/publishing/nesting.ts";
import { unknownIdsStatement, unknownParentsStatement, unplacedIdsStatement } from "../../shared/publishing/staged-ids.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

/** What staged rows refer to and is not there, a line for each column of ids. */
export async function unknownIds(target: Target, { name, references }: LoadedTable, staging: string): Promise<string[]> {
  const lines: string[] = [];
  for (const reference of references) {
    const { count: unknown, examples } = onlyRow(await query(target, unknownIdsStatement(staging, reference), { table: name }));
    if (unknown > 0) lines.push(`${said(unknown)} in ${reference.id} not in ${reference.table}: ${shown(unknown, examples)}`);
  }
  return lines;
}

/**
 * Returns a line for each id column whose geographies lie in no coarser one, for staged rows of several levels.
 * @param geoTypes the geography types of the rows; 250 m cells lie in 1 km cells by their ids
 */
export async function unplacedIds(
  target: Target,
  { name, references }: LoadedTable,
  staging: string,
  geoTypes: readonly string[],
): Promise<string[]> {
  const levels = NESTED_LEVELS.filter((level) => geoTypes.includes(level));
  if (levels.length < 2 || levels.at(-1) === "grid_1000m") return [];
  const lines: string[] = [];
  for (const reference of references) {
    const statement = unplacedIdsStatement(staging, reference, levels.slice(0, -1));
    const { count: unplaced, examples } = onlyRow(await query(target, statement, { table: name }));
    if (unplaced === 0) continue;
    const ids = `${said(unplaced)} in ${reference.id} without a parent in geographies: ${shown(unplaced, examples)}`;
    lines.push(`${ids}. No coarser row counts them`);
  }
  return lines;
}

/** Returns a line for loaded geographies whose parent does not exist; none of other tables, or of a file without parents. */
export async function unknownParents(
  target: Target,
  { name }: LoadedTable,
  staging: string,
  columns: readonly string[],
): Promise<string[]> {
  if (name !== "geographies" || !columns.includes("parent_id")) return [];
  const { count: unknown, examples } = onlyRow(await query(target, unknownParentsStatement(staging), { table: name }));
  if (unknown === 0) return [];
  const right = "the admin_level_4 area of a cell, the admin_level_2 area of an admin_level_4 area";
  return [
    `${said(unknown)} in geo_id with a parent_id that is no geography (${right}): ${shown(unknown, examples)}. No coarser row counts them`,
  ];
}

function said(ids: number): string {
  return `${ids.toLocaleString("en")} ${ids === 1 ? "id" : "ids"}`;
}

function shown(ids: number, examples: readonly number[]): string {
  return `${examples.join(", ")}${ids > examples.length ? ", …" : ""}`;
}
