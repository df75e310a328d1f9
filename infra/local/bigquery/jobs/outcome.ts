import type { Field } from "../model.ts";
import type { DmlStatistics, QueryStatistics } from "./job.ts";
import type { ResultSet } from "./results.ts";

/** The effects of one statement. */
export interface Outcome {
  readonly rows?: ResultSet;
  readonly schema?: readonly Field[];
  readonly dml?: DmlStatistics;
  readonly ddl?: NonNullable<QueryStatistics["ddl"]>;
  readonly exported?: NonNullable<QueryStatistics["exported"]>;
}
