import { bigqueryClient } from "../../../shared/google/bigquery-client.ts";
import { isNotFound } from "../../../shared/google/classify-error.ts";
import { listedDatasetName, personalDatasetName } from "../dataset-names.ts";
import type { Session } from "../session.ts";

/** Removes a customer's datasets with their views locally; in the cloud, Terraform does. Returns how many it removed. */
export async function removeDatasets({ place, config }: Session, uid: string): Promise<number> {
  if (place.kind === "cloud") return 0;
  let removed = 0;
  for (const dataset of [personalDatasetName(uid), listedDatasetName(uid)]) {
    try {
      await bigqueryClient(config).dataset(dataset).delete({ force: true });
      removed += 1;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return removed;
}
