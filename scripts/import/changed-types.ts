import { changedTypesStatement } from "../../shared/publishing/changed-types.ts";
import type { FactLoad } from "../../shared/publishing/staged-load.ts";
import { ImportError } from "./import-error.ts";
import { batchName } from "./ledger.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

/** Throws an ImportError if a load brings a published day with other geography types than it has, between its finest and its coarsest one. */
export async function refuseChangedTypes(target: Target, load: FactLoad): Promise<void> {
  if (load.publication.nesting !== "areas") return;
  const changed = await query(target, changedTypesStatement(load), { table: load.table });
  const [first] = changed;
  if (first === undefined) return;
  const lines = changed.map(({ country_code: country, period, geo_type: type, is_new: isNew }) =>
    isNew
      ? `${batchName({ country, period })} is published without rows of ${type}, which this file has`
      : `${batchName({ country, period })} is published with rows of ${type}, which this file does not have`,
  );
  throw new ImportError(
    `${lines.join("\n")}\nCoarser rows are published by them, and two numbers of one area by other parts could tell of few people. Load the types of before, or delete the day first and load it with all its types: npm run import -- ${load.table} --delete ${first.period} --country ${first.country_code}`,
  );
}
