import { provisionCustomer } from "../../../scripts/admin/local/customers.ts";
import { functionsConfig } from "../../local/functions-environment.ts";

const PLAIN = { service: "storage", scopes: ["realtime"], machineAccountAdmin: true } as const;

/** Creates the customers of a rehearsal, each with a key that may do everything. */
export async function rehearsalCustomers(project: string, metadataHost: string, number: number) {
  const made = await Promise.all(
    Array.from({ length: number }, (_, index) =>
      provisionCustomer(functionsConfig(project), metadataHost, {
        ...{ name: `Customer ${index + 1}`, countries: ["EST", "LAT", "NOR"], defaultCountry: "EST" },
        allow: { scopes: ["realtime"], profiles: ["storage"] },
        keys: { admin: PLAIN },
      }),
    ),
  );
  return made.map((customer) => ({ ...customer, key: customer.keys.admin ?? "" }));
}
