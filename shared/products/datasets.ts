/** The datasets of data availability, in the order of their names. */
export const DATASETS = ["activities", "flows", "odm"] as const;
type Dataset = (typeof DATASETS)[number];

/** The dataset that each fact table of days belongs to. The names of the tables have the same order as those of their datasets. */
export const DATASET_OF_TABLE = {
  activities_daily: "activities",
  activities_hourly: "activities",
  flows_hourly: "flows",
  odm_daily: "odm",
} as const satisfies Readonly<Record<string, Dataset>>;
export const DATASET_TABLES = [
  "activities_daily",
  "activities_hourly",
  "flows_hourly",
  "odm_daily",
] as const satisfies readonly (keyof typeof DATASET_OF_TABLE)[];
