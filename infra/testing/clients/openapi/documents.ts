import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckContext } from "../client.ts";

const APIS = ["users", "data"] as const;

/** Writes the documents of both APIs to a check's folder, as the service sends them. Returns their files. */
export async function fetchDocuments({
  ready,
  folder,
}: CheckContext): Promise<{ readonly api: (typeof APIS)[number]; readonly file: string }[]> {
  return Promise.all(
    APIS.map(async (api) => {
      const response = await fetch(`${ready[`${api}_base_url`]}/openapi.json`);
      const file = join(folder, `${api}.json`);
      writeFileSync(file, await response.text());
      return { api, file };
    }),
  );
}

/** The variables that programs with generated clients take. */
export function apiVariables({ ready, customer }: CheckContext): Record<string, string> {
  return { USERS_URL: ready.users_base_url, DATA_URL: ready.data_base_url, KEY: customer.keys.warehouse ?? "", USER_ID: customer.uid };
}
