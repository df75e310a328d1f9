import { MeResponse } from "../../shared/accounts/customer-schemas.ts";
import { exportsOn } from "../../shared/accounts/customers.ts";
import { openCustomerDetails } from "../../shared/accounts/customers-admin.ts";
import { personalDatasetOf } from "../../shared/accounts/personal-dataset.ts";
import { bytesOn } from "../../shared/budgets/day-bytes.ts";
import { openLeasedBytes } from "../../shared/budgets/leased-bytes.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";

export default defineEndpoint({
  file: "customers/me",
  api: "users",
  method: "GET",
  path: "/users/me",
  summary: "Get what the key may do, and the limits and the usage of its customer",
  description: "What a key may do and what is left of its customer's limits. Any key may ask about itself.",
  auth: {},
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: MeResponse },
  dependencies: (config) => ({ customers: openCustomerDetails(config), leasedBytes: openLeasedBytes(config) }),
  handler: async ({ caller }, { customers, leasedBytes }, { now }) => {
    const { uid, keyLabel, service, scopes, countries, defaultCountry, machineAccountAdmin, expiresAt } = caller;
    const at = now();
    const [customer, leased] = await Promise.all([customers(uid), leasedBytes.on(uid, at)]);
    const { name, allow, limits, running, waiting, mapCount, geometryBytes, monitoredCells } = customer;
    return reply(200, {
      ...{ uid, name, keyLabel, service, scopes: [...scopes], countries: [...countries], defaultCountry, machineAccountAdmin },
      expiresAt: expiresAt?.toISOString() ?? null,
      allow: { scopes: [...allow.scopes], profiles: [...allow.profiles] },
      limits,
      usage: {
        runningJobs: running,
        unfinishedJobs: running + waiting,
        exportsToday: exportsOn(customer, at),
        maps: mapCount,
        geometryBytes,
        monitoredCells,
        bytesToday: bytesOn(customer.bytesToday, at) + leased,
      },
      personalDataset: personalDatasetOf(customer),
    });
  },
});
