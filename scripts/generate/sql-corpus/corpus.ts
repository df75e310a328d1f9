import countries from "../../../infra/countries.json" with { type: "json" };
import { parseCountryTable } from "../../../shared/products/countries.ts";
import { aggregationFiles } from "./aggregations.ts";
import { definitionFiles } from "./definitions.ts";
import { loadFiles } from "./loads.ts";
import { lookupFiles } from "./lookups.ts";
import { privacyFiles } from "./privacy.ts";
import { realtimeFiles } from "./realtime.ts";
import type { SqlFile } from "./sql-file.ts";

/**
 * Returns every definition, and every statement that the service and the import send, for requests that reach every branch of the statement
 * builders in `shared`. Definitions come first. Throws if two files have the same name.
 */
export function sqlCorpus(): SqlFile[] {
  const table = parseCountryTable("infra/countries.json", countries);
  const files = [
    ...definitionFiles(),
    ...loadFiles(),
    ...realtimeFiles(table),
    ...lookupFiles(),
    ...aggregationFiles(table),
    ...privacyFiles(),
  ];
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name)) throw new Error(`Two files of the corpus are named ${name}`);
    names.add(name);
  }
  return files;
}
