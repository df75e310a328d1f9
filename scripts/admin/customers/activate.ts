import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { personalDatasetOf } from "../../../shared/accounts/personal-dataset.ts";
import { fillTablesOf } from "../../../shared/realtime/fill-customer-table.ts";
import { tellTerraform } from "../customers-file.ts";
import { personalDatasetName } from "../dataset-names.ts";
import { requireCustomer } from "../find.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { recordReadyDataset } from "./dataset-ready.ts";
import { probe } from "./probe.ts";

export default defineVerb({
  words: "UID",
  options: {},
  run: async ([uid = ""], _values, session) => {
    const customer = await requireCustomer(session, uid);
    const { name, status } = customer;
    if (status === "suspended") throw new UsageError(`${name} is suspended; ${COMMAND} customers resume ${uid} reactivates it`);
    const { state } = personalDatasetOf(customer);
    // A run that was interrupted, or one on another machine, may have left the customer out of this file.
    await tellTerraform(session, customer, state === "none" ? [] : ["B"]);
    const problem = await probe(session, customer);
    if (problem !== undefined) throw new UsageError(`${name} stays ${status}: ${problem}. Apply terraform/customers, then try again`);
    if (status !== "active") {
      if ((await setCustomerStatus(session.db, uid, "active", ["provisioning", "active"])) === "suspended")
        throw new Error(
          `Somebody else suspended ${name} meanwhile, so it stays suspended: ${COMMAND} customers resume ${uid} reactivates it`,
        );
      await session.record("customer.activate", uid, "provisioned: its tokens work");
    }
    await fillTablesOf(session.config, uid);
    if (state === "requested") {
      const dataset = personalDatasetName(uid);
      if (await recordReadyDataset(session, customer)) await session.record("dataset.ready", uid, dataset);
      else
        session.note(
          `The dataset ${dataset} is not there yet: run ${COMMAND} datasets request ${uid}, apply terraform/customers, try again`,
        );
    }
    return { json: { uid, status: "active" }, lines: [`${name} is active: its tokens work`] };
  },
});
