import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { bigqueryClient } from "./bigquery-client.ts";

/** Source: https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#Table */
const Metadata = v.object({ lastModifiedTime: v.string(), numRows: v.string() });

/** Returns a text that changes with the rows of a table: when they last changed, and how many there are. It costs no query. Throws the client's error. */
export type TableState = (dataset: string, table: string) => Promise<string>;

/** Opens the states of tables, which `tables.get` tells. */
export function openTableState(config: Config): TableState {
  const bigquery = bigqueryClient(config);
  return async (dataset, table) => {
    const [metadata] = await bigquery.dataset(dataset).table(table).getMetadata({ fields: "lastModifiedTime,numRows" });
    const { lastModifiedTime, numRows } = v.parse(Metadata, metadata);
    return `${lastModifiedTime} ${numRows}`;
  };
}
