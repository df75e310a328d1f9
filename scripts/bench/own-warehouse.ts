import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import { queryParameters } from "../../infra/local/bigquery/jobs/query-parameters.ts";
import type { Statement as DuckDbStatement } from "../../infra/local/bigquery/model.ts";
import { startBigQuery } from "../../infra/local/bigquery/server.ts";
import type { ParameterValues } from "../../infra/local/bigquery/sql/parameter-values.ts";
import { translateScript } from "../../infra/local/bigquery/sql/translate.ts";
import { MetadataCatalog } from "../../infra/local/bigquery/warehouse/catalog.ts";
import { Identity, SCOPES } from "../../infra/local/identity.ts";
import { ObjectStore } from "../../infra/local/storage/object-store.ts";
import { makeTables } from "../../infra/local/tables.ts";
import type { Parameters } from "../../shared/google/statement.ts";

const [PROJECT, LOCATION] = ["demo-local", "europe-north1"];

/** A local BigQuery in this process with the service's tables, and direct access to its DuckDB. */
export interface OwnWarehouse {
  readonly client: BigQuery;
  readonly connection: DuckDBConnection;
  /** The only folder that this DuckDB may write to. */
  readonly folder: string;
  /** Returns the statements of a script as DuckDB runs them, and the function that prepares one with the parameters. */
  readonly translate: (
    sql: string,
    parameters: Parameters,
  ) => Promise<{ readonly statements: readonly DuckDbStatement[]; readonly values: ParameterValues }>;
  readonly close: () => Promise<void>;
}

interface OwnWarehouseOptions {
  /** The account of the client. */
  readonly account: "functions" | "operator";
  /** Whether the tables are on disk, as with `--data`. Left out: they are in memory. */
  readonly onDisk?: boolean;
  /** DuckDB's memory limit. Left out: that of the service. */
  readonly memoryLimit?: string;
}

/** Opens a warehouse in this process, with the limits of the service's. */
export async function openOwnWarehouse({ account, onDisk = false, memoryLimit }: OwnWarehouseOptions): Promise<OwnWarehouse> {
  const directory = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const tempDir = join(directory, "temp");
  const identity = new Identity();
  const email = `${account}@${PROJECT}.iam.gserviceaccount.com`;
  identity.addAccount(email);
  const storage = await ObjectStore.open(join(directory, "storage"));
  const server = await startBigQuery({
    project: PROJECT,
    identity,
    storage,
    tempDir,
    ...(onDisk && { dataDirectory: join(directory, "data") }),
    ...(memoryLimit !== undefined && { memoryLimit }),
  });
  await makeTables(server);
  const authClient = new OAuth2Client();
  const { accessToken } = identity.mint(email, [SCOPES.cloudPlatform], 3600);
  authClient.setCredentials({ access_token: accessToken, expiry_date: Date.now() + 3_600_000 });
  const connection = await server.connection();
  const [folder = ""] = readdirSync(tempDir);
  return {
    client: new BigQuery({ projectId: PROJECT, location: LOCATION, apiEndpoint: `http://${server.address}`, authClient }),
    connection,
    folder: join(tempDir, folder),
    translate: async (sql, parameters) => {
      const { types, values } = queryParameters(
        Object.entries(parameters).map(([name, { type, value }]) => ({
          name,
          parameterType: { type },
          parameterValue: { value: String(value) },
        })),
      );
      const catalog = await MetadataCatalog.open(connection, PROJECT);
      return { statements: translateScript(sql, types, { project: PROJECT, catalog }), values };
    },
    close: async () => {
      connection.closeSync();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
