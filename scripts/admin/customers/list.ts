import { listCustomers } from "../../../shared/accounts/customers-admin.ts";
import { list, table } from "../print.ts";
import { defineVerb } from "../verb.ts";
import { customerJson } from "./describe.ts";

export default defineVerb({
  words: "",
  options: {},
  run: async (_words, _values, { db }) => {
    const customers = await listCustomers(db);
    const rows = customers.map(({ uid, name, status, countries, running, waiting, mapCount }) => ({
      uid,
      name,
      status,
      countries: list(countries),
      running,
      waiting,
      maps: mapCount,
    }));
    return { json: { customers: customers.map(customerJson) }, lines: table(rows) };
  },
});
