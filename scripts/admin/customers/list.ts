import { accountsProjectOf } from "../../../shared/accounts/accounts-project.ts";
import { listCustomers } from "../../../shared/accounts/customers-admin.ts";
import { list, table } from "../print.ts";
import { defineVerb } from "../verb.ts";
import { customerJson } from "./describe.ts";

export default defineVerb({
  words: "",
  options: {},
  run: async (_words, _values, { db, config }) => {
    const customers = await listCustomers(db);
    const rows = customers.map((customer) => {
      const { uid, name, status, countries, running, waiting, mapCount } = customer;
      return {
        uid,
        name,
        status,
        countries: list(countries),
        project: accountsProjectOf(config, customer),
        running,
        waiting,
        maps: mapCount,
      };
    });
    return { json: { customers: customers.map((customer) => customerJson(config, customer)) }, lines: table(rows) };
  },
});
