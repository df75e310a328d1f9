import { readFileSync } from "node:fs";
import { personalDatasetName } from "../dataset-names.ts";

const FILES = [
  { file: "realtime_data", location: "europe-north1" },
  { file: "target_country_summary_view_customer", location: "EU" },
] as const;

/** A customer's views in the warehouse: its personal dataset's name, and the scripts that create it and the view behind its EU listing. */
export interface DatasetDefinitions {
  readonly dataset: string;
  readonly scripts: readonly { readonly sql: string; readonly location: string }[];
}

/** Returns the definitions of `infra/warehouse/customer` for a customer. */
export function datasetDefinitions(uid: string): DatasetDefinitions {
  const textOf = (file: string) => readFileSync(new URL(`../../../infra/warehouse/customer/${file}.sql`, import.meta.url), "utf8");
  return {
    dataset: personalDatasetName(uid),
    scripts: FILES.map(({ file, location }) => ({ sql: textOf(file).replaceAll("{uid}", uid), location })),
  };
}
