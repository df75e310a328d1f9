import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import { startBigQuery } from "../../../infra/local/bigquery/server.ts";
import { startMetadata } from "../../../infra/local/iam/server.ts";
import { Identity, SCOPES } from "../../../infra/local/identity.ts";
import { ObjectStore } from "../../../infra/local/storage/object-store.ts";
import { makeTables } from "../../../infra/local/tables.ts";
import { parseArguments } from "../arguments.ts";
import { runImport } from "../run.ts";

const PROJECT = "demo-local";
const emailOf = (name: string) => `${name}@${PROJECT}.iam.gserviceaccount.com`;

/** Invented country rules, in the format of a rules file. */
const COUNTRIES = {
  EST: {
    name: "Estonia",
    time_zone: "Europe/Tallinn",
    people_per_device: 4,
    activities: { geo_types: ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] },
    odm: { geo_types: ["grid_1000m", "admin_level_4", "admin_level_2"], mixed: true, distance: "none" },
    flow: {},
  },
  UTO: { name: "Utopia", time_zone: "UTC", k: 20, people_per_device: 4, odm: { geo_types: ["admin_level_4"], distance: "centroids" } },
};

export interface ImportUnderTest {
  readonly stateDirectory: string;
  /** Runs an import like the command and returns its progress lines. */
  readonly run: (...args: readonly string[]) => Promise<string[]>;
  /** Returns the rows of a GoogleSQL query. */
  readonly rows: (sql: string) => Promise<unknown[]>;
  /** Returns the names of the tables in `staging`. */
  readonly staged: () => Promise<(string | undefined)[]>;
  /** Replaces the country rules. */
  readonly setCountries: (change: (countries: typeof COUNTRIES) => object) => void;
  readonly close: () => Promise<void>;
}

/** Starts a local warehouse with the service's tables, a `ready.json` like a running service's, and a clock for it and its imports. */
export async function startImportUnderTest(now: () => Date = () => new Date()): Promise<ImportUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), "populus-import-test-"));
  const identity = new Identity();
  for (const name of ["functions", "loader", "operator"]) identity.addAccount(emailOf(name));
  const storage = await ObjectStore.open(join(directory, "storage"));
  const server = await startBigQuery({ project: PROJECT, identity, storage, tempDir: join(directory, "temp"), now: () => now().getTime() });
  const metadata = await startMetadata({ identity, project: PROJECT, account: emailOf("functions"), otherAccounts: [emailOf("loader")] });
  await makeTables(server);
  const authClient = new OAuth2Client();
  authClient.setCredentials({
    access_token: identity.mint(emailOf("operator"), [SCOPES.cloudPlatform], 3600).accessToken,
    expiry_date: Date.now() + 3_600_000,
  });
  const endpoint = `http://${server.address}`;
  const client = new BigQuery({ projectId: PROJECT, location: "europe-north1", apiEndpoint: endpoint, authClient });
  const countriesFile = join(directory, "countries.json");
  writeFileSync(countriesFile, JSON.stringify(COUNTRIES));
  const ready = {
    project: PROJECT,
    bigquery_endpoint: endpoint,
    metadata_host: metadata.address,
    countries_file: countriesFile,
    storage_endpoint: endpoint,
    landing_bucket: "landing",
  };
  writeFileSync(join(directory, "ready.json"), JSON.stringify(ready));
  return {
    stateDirectory: directory,
    run: async (...args) => {
      const request = parseArguments([...args, "--state", directory]);
      if (!request) throw new Error("the command line asks for help");
      const lines: string[] = [];
      await runImport(request, (line) => lines.push(line), now());
      return lines;
    },
    rows: async (sql) => (await client.query(sql))[0],
    staged: async () => (await client.dataset("staging").getTables())[0].map(({ id }) => id),
    setCountries: (change) => writeFileSync(countriesFile, JSON.stringify(change(structuredClone(COUNTRIES)))),
    close: async () => {
      await server.close();
      await metadata.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
