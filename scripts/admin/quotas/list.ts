import { listCustomers } from "../../../shared/accounts/customers-admin.ts";
import { bytesOn } from "../../../shared/budgets/day-bytes.ts";
import { openLeasedBytes } from "../../../shared/budgets/leased-bytes.ts";
import { table } from "../print.ts";
import { defineVerb } from "../verb.ts";

const GB = 1e9;

export default defineVerb({
  words: "",
  options: {},
  run: async (_words, _values, { db, config, now }) => {
    const at = now();
    const leases = openLeasedBytes(config);
    const customers = await Promise.all(
      (await listCustomers(db)).map(async (customer) => {
        const { uid, name, limits } = customer;
        const bytesToday = bytesOn(customer.bytesToday, at) + (await leases.on(uid, at));
        return { uid, name, bytesPerDay: limits.bytesPerDay, bytesToday };
      }),
    );
    const rows = customers.map(({ uid, name, bytesPerDay, bytesToday }) => ({
      uid,
      name,
      "GB a day": bytesPerDay / GB,
      "GB today": (bytesToday / GB).toFixed(1),
    }));
    return { json: { customers }, lines: table(rows) };
  },
});
