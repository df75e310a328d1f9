import type { Account } from "./provision.ts";

/** Two customers, so that each can be seen not to reach the other. */
export function sampleCustomers(countries: readonly string[]): Account[] {
  const plain = { service: "storage", scopes: ["realtime"], machineAccountAdmin: false } as const;
  const acme = {
    admin: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true },
    storage: plain,
    warehouse: { ...plain, service: "warehouse" },
    no_realtime: { ...plain, scopes: [] },
  } as const;
  return [
    { name: "Acme Mobility", countries, defaultCountry: "EST", keys: acme },
    { name: "Globex Transit", countries: ["NOR"], defaultCountry: "NOR", keys: { storage: plain } },
  ];
}
