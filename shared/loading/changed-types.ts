import type { Labels, Warehouse } from "../google/bigquery.ts";
import { changedTypesStatement } from "../publishing/changed-types.ts";
import type { FactLoad } from "../publishing/staged-load.ts";
import { BadBatch } from "./batch-fault.ts";

/** Throws a BadBatch if a published day comes with other geography types than it has, between its finest and its coarsest one. */
export async function refuseChangedTypes(warehouse: Warehouse, load: FactLoad, labels: Labels): Promise<void> {
  if (load.publication.nesting !== "areas") return;
  const changed = await warehouse.query(changedTypesStatement(load), labels);
  if (changed.length === 0) return;
  const right = `the geography types of before; or the operator deletes the day first (npm run import -- ${load.table} --delete DAY --country C), and it comes with all types`;
  throw new BadBatch(
    changed.map(({ geo_type: type, is_new: isNew }) => ({
      file: undefined,
      line: undefined,
      says: isNew
        ? `The day is published without rows of ${type}, which these files have`
        : `The day is published with rows of ${type}, which these files do not have`,
      right,
    })),
  );
}
