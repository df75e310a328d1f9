import * as v from "valibot";
import { requestPersonalDataset, setPersonalDataset } from "../../shared/accounts/customers-admin.ts";
import { listKeys } from "../../shared/accounts/keys-admin.ts";
import { SCENARIOS, tellTerraform } from "./customers-file.ts";
import { listedDatasetName, personalDatasetName } from "./dataset-names.ts";
import { requireCustomer } from "./find.ts";
import { COMMAND, UsageError } from "./usage-error.ts";
import { defineVerb } from "./verb.ts";

export default defineVerb({
  words: "UID",
  more: `  --scenario S         B (default): a personal dataset, queried in the provider's project; A: a listing in the data-sharing hub;
                       C: a transfer to the customer's own platform, set up by hand
`,
  options: { scenario: v.optional(v.picklist(SCENARIOS, `must be one of ${SCENARIOS.join(", ")}`), "B") },
  run: async ([uid = ""], { scenario }, session) => {
    const customer = await requireCustomer(session, uid);
    const { place, config, db, note } = session;
    if (place.kind === "local" && scenario === "C") throw new UsageError("Scenario C does not apply to a local service");
    if (place.kind === "local") {
      const { provisionDatasets } = await import("./local/datasets.ts");
      await provisionDatasets(config, place.bigqueryUrl, uid);
    }
    const dataset = scenario === "C" ? null : scenario === "A" ? listedDatasetName(uid) : personalDatasetName(uid);
    if (scenario === "B" && place.kind === "local") await setPersonalDataset(db, uid, personalDatasetName(uid));
    if (scenario === "B" && place.kind === "cloud") {
      await requestPersonalDataset(db, uid, session.now());
      note(`Apply terraform/customers, then run ${COMMAND} customers activate ${uid}: it checks that the dataset is there`);
    }
    if (scenario === "A" && place.kind === "cloud")
      note(`Apply terraform/customers, then run ${COMMAND} customers activate ${uid}: it fills the table behind the listing`);
    await session.record("dataset.request", uid, `scenario ${scenario}`);
    await tellTerraform(session, customer, [scenario]);
    const isReady = (await listKeys(db, uid)).some((key) => key.service === "warehouse" && key.scopes.includes("realtime"));
    if (scenario === "B" && !isReady)
      note(`None of its keys has both required scopes. To grant them: ${COMMAND} scopes grant ${uid} LABEL warehouse realtime`);
    return {
      json: { uid, scenario, dataset },
      lines: [`${customer.name}: scenario ${scenario}${dataset === null ? "" : `, dataset ${dataset}`}`],
    };
  },
});
