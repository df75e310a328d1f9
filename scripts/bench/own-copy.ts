import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import { queryParameters } from "../../infra/local/bigquery/jobs/query-parameters.ts";
import { startBigQuery } from "../../infra/local/bigquery/server.ts";
import { translateScript } from "../../infra/local/bigquery/sql/translate.ts";
import { MetadataCatalog } from "../../infra/local/bigquery/warehouse/catalog.ts";
import { Identity, SCOPES } from "../../infra/local/identity.ts";
import { ObjectStore } from "../../infra/local/storage/object-store.ts";
import { makeTables } from "../../infra/local/tables.ts";
import type { Statement } from "../../shared/google/statement.ts";
import { timed } from "./measure.ts";

const [PROJECT, LOCATION] = ["demo-local", "europe-north1"];

/** The duration of a COPY, and the size of its file. */
export interface Copied {
  readonly ms: number;
  readonly bytes: number;
}

/** DuckDB's own COPY in this process. */
export interface OwnCopy {
  /** Fills the tables to copy from. */
  readonly client: BigQuery;
  /** Writes the rows of an export statement with these COPY options. */
  readonly copy: (statement: Statement, options: string) => Promise<Copied>;
  readonly close: () => Promise<void>;
}

/** Opens an in-memory warehouse in this process, with the limits of the service's, and direct access to its DuckDB. */
export async function openOwnCopy(): Promise<OwnCopy> {
  const directory = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const tempDir = join(directory, "temp");
  const identity = new Identity();
  const account = `functions@${PROJECT}.iam.gserviceaccount.com`;
  identity.addAccount(account);
  const storage = await ObjectStore.open(join(directory, "storage"));
  const server = await startBigQuery({ project: PROJECT, identity, storage, tempDir });
  await makeTables(server);
  const authClient = new OAuth2Client();
  const { accessToken } = identity.mint(account, [SCOPES.cloudPlatform], 3600);
  authClient.setCredentials({ access_token: accessToken, expiry_date: Date.now() + 3_600_000 });
  const connection = await server.connection();
  // The only folder that this DuckDB may write to.
  const [allowed = ""] = readdirSync(tempDir);
  const file = join(tempDir, allowed, "copied");

  const copy: OwnCopy["copy"] = async ({ sql, parameters }, options) => {
    const { types, bind } = queryParameters(
      Object.entries(parameters).map(([name, { type, value }]) => ({
        name,
        parameterType: { type },
        parameterValue: { value: String(value) },
      })),
    );
    const catalog = await MetadataCatalog.open(connection, PROJECT);
    const [translated] = translateScript(sql, types, { project: PROJECT, catalog });
    if (translated?.kind !== "export") throw new Error("Only an export can be copied");
    const prepared = await bind(connection, `COPY (${translated.sql}) TO '${file}' (${options})`);
    const ms = await timed(() => prepared.run());
    prepared.destroySync();
    const { size: bytes } = statSync(file);
    rmSync(file);
    return { ms, bytes };
  };
  return {
    client: new BigQuery({ projectId: PROJECT, location: LOCATION, apiEndpoint: `http://${server.address}`, authClient }),
    copy,
    close: async () => {
      connection.closeSync();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
