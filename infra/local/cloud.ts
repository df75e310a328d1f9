import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseCountries } from "../../shared/schemas/country-rules.ts";
import { startBigQuery } from "./bigquery/server.ts";
import { startDocuments, startMessages } from "./engines.ts";
import { startIam, startMetadata } from "./iam/server.ts";
import { Identity } from "./identity.ts";
import { CloudOptions, type CloudReady } from "./messages.ts";
import { endWithParent, tellParent } from "./parent.ts";
import { generateSample } from "./sample/generate.ts";
import { startStorage } from "./storage/server.ts";
import { startTasks } from "./tasks/server.ts";

/** The process of the local cloud: every product behind its own address, and the sample data in the warehouse. */
async function main(options: CloudOptions): Promise<void> {
  const { project, bucket, stateDirectory } = options;
  const identity = new Identity();
  const account = (name: string): string => `${name}@${project}.iam.gserviceaccount.com`;
  for (const name of ["functions", "queue"]) identity.addAccount(account(name));
  const tempDir = join(stateDirectory, "tmp");
  mkdirSync(tempDir, { recursive: true });
  const [documents, messages, storage] = await Promise.all([
    startDocuments(options.engines, project),
    startMessages(options.engines, project, identity),
    startStorage({ directory: join(stateDirectory, "storage"), buckets: [bucket], identity }),
  ]);
  const [bigquery, tasks, iam, metadata] = await Promise.all([
    startBigQuery({ project, identity, storage: storage.store, tempDir }),
    startTasks({ identity }),
    startIam({ identity }),
    startMetadata({ identity, project, account: account("functions") }),
  ]);
  const ddl = new URL("../warehouse/", import.meta.url);
  const files = readdirSync(ddl).filter((name) => name.endsWith(".sql"));
  for (const name of ["datasets.sql", ...files.filter((file) => file !== "datasets.sql").sort()])
    await bigquery.applyDdl(readFileSync(new URL(name, ddl), "utf8"));
  parseCountries(options.countriesFile, JSON.parse(readFileSync(options.countriesFile, "utf8")));
  await generateSample(await bigquery.connection(), { seed: options.seed, now: new Date(), scale: options.scale });
  const servers = [documents.server, messages.server, storage, bigquery, tasks, iam, metadata];
  endWithParent(async () => {
    await Promise.allSettled(servers.map((server) => server.close()));
  });
  const ready: CloudReady = {
    firestore: documents.server.address,
    pubsub: messages.server.address,
    tasks: tasks.address,
    iam: iam.address,
    metadata: metadata.address,
    storage: storage.address,
    bigquery: bigquery.address,
    engines: { firestore: documents.engine, pubsub: messages.engine, warehouse: "duckdb" },
  };
  tellParent(ready);
}

try {
  await main(v.parse(CloudOptions, JSON.parse(process.argv[2] ?? "{}")));
} catch (error) {
  console.error(error);
  tellParent({ failed: error instanceof Error ? error.message : String(error) }, () => process.exit(1));
}
