import { createHash } from "node:crypto";
import type { CountryTable } from "../countries/country-rules.ts";

/** Stands for how cells are computed and split into rows. Another number makes all cells be computed again. */
const FORM = 1;

/**
 * Returns the name under which the cells of a customer's polygon stand in the warehouse, 64 hexadecimal digits: of what decides them. It
 * contains the customer, so that nobody learns whether another has the same polygon.
 * @param table the rules of the customer's countries
 */
export function geometryHash(uid: string, geometry: string, table: CountryTable): string {
  const grids = Object.entries(table)
    .map(([code, { grid }]) => [code, grid] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([FORM, uid, geometry, grids]))
    .digest("hex");
}
