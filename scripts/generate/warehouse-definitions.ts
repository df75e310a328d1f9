import { readdirSync, readFileSync } from "node:fs";
import type { Statement } from "../../infra/local/bigquery/model.ts";
import { translateScript } from "../../infra/local/bigquery/sql/translate.ts";

const WAREHOUSE = new URL("../../infra/warehouse/", import.meta.url);
const DATASETS = "datasets.sql";

/** The placeholder uid for the definitions of `customer/`, which makes their names parsable. */
export const READ_AS = "uid00000";

/** An empty catalogue: no dataset or table exists before the definitions. */
const NOTHING = { project: "project", catalog: { dataset: () => undefined, table: () => undefined, described: () => [] } };

/** Returns the statements of `infra/warehouse`, parsed by the local warehouse's grammar: datasets first, customer views last. */
export function warehouseDefinitions(): Statement[] {
  const tables = sqlFilesOf(WAREHOUSE).filter((file) => file !== DATASETS);
  const views = sqlFilesOf(new URL("customer/", WAREHOUSE)).map((file) => `customer/${file}`);
  const texts = [DATASETS, ...tables, ...views].map((file) => readFileSync(new URL(file, WAREHOUSE), "utf8"));
  return translateScript(texts.join("\n").replaceAll("{uid}", READ_AS), new Map(), NOTHING);
}

function sqlFilesOf(folder: URL): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort();
}
