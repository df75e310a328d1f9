import * as v from "valibot";
import { datasetDefinitions } from "../../scripts/admin/local/dataset-definitions.ts";
import type { BigQueryServer } from "./bigquery/server.ts";
import { failCloud } from "./cloud-failure.ts";
import type { Identity } from "./identity.ts";
import {
  AddHistory,
  type CloudOptions,
  CreateDatasets,
  type DatabasesGranted,
  type DatasetsCreated,
  type Fed,
  Feed,
  type Filled,
  FillSample,
  GrantDatabases,
  type HistoryAdded,
  type HistoryHeld,
} from "./messages.ts";
import { tellParent } from "./parent.ts";
import { headcountTables, loadHistory } from "./sample/history.ts";
import { generatePresence } from "./sample/presence.ts";
import type { SampleFilling } from "./sample-filling.ts";

/** Serves the parent's requests that are about the warehouse. Its tables must exist. */
export function serveWarehouseRequests(bigquery: BigQueryServer, sample: SampleFilling, options: CloudOptions): void {
  serveDatasets(bigquery);
  serveFeed(bigquery, options);
  serveHistory(bigquery, options);
  serveFilling(sample, options);
}

/** Makes the sample data when the parent requests it. This process ends if it cannot. */
function serveFilling(sample: SampleFilling, options: CloudOptions): void {
  process.on("message", (message) => {
    if (!v.is(FillSample, message)) return;
    sample.fill().then(
      () => tellParent({ filled: true } satisfies Filled),
      (error: unknown) => {
        if (!sample.isStopped) failCloud(error, options);
      },
    );
  });
}

/** Adds the history of a map when the parent requests it. Until then, its rows are neither read nor changed by others. */
function serveHistory(bigquery: BigQueryServer, { seed, scale }: CloudOptions): void {
  const add = (history: AddHistory["history"]): Promise<void> =>
    bigquery.withConnection((connection) => loadHistory(connection, { seed, scale }, history, new Date()));
  process.on("message", (message) => {
    const wanted = v.safeParse(AddHistory, message);
    if (!wanted.success) return;
    const { history } = wanted.output;
    const tables = headcountTables(history.uid);
    bigquery.hold(tables);
    tellParent({ historyHeldOf: history.mapId } satisfies HistoryHeld);
    add(history)
      .then(
        () => false,
        (error: unknown) => {
          console.error(error);
          return true;
        },
      )
      .then((failed) => {
        bigquery.release(tables);
        tellParent({ historyOf: history.mapId, failed } satisfies HistoryAdded);
      });
  });
}

/** Loads a tick of presence when the parent requests it. */
function serveFeed(bigquery: BigQueryServer, { seed, scale, tickSeconds }: CloudOptions): void {
  process.on("message", (message) => {
    const asked = v.safeParse(Feed, message);
    if (!asked.success) return;
    const tick = new Date(asked.output.feed);
    bigquery
      .withConnection((connection) => generatePresence(connection, { seed, scale, tickSeconds, tick }))
      .catch((error: unknown) => console.error(error))
      .finally(() => tellParent({ fed: asked.output.feed } satisfies Fed));
  });
}

/** Creates the datasets of a customer when the parent requests it. */
function serveDatasets(bigquery: BigQueryServer): void {
  process.on("message", (message) => {
    const wanted = v.safeParse(CreateDatasets, message);
    if (!wanted.success) return;
    const uid = wanted.output.create_datasets_of;
    createDatasets(bigquery, uid).then(
      () => tellParent({ datasets_of: uid } satisfies DatasetsCreated),
      (error: unknown) => tellParent({ datasets_of: uid, failed: String(error) } satisfies DatasetsCreated),
    );
  });
}

/** Changes the databases that the functions' grants reach when the parent requests it. */
export function serveDatabaseGrants(identity: Identity): void {
  process.on("message", (message) => {
    const wanted = v.safeParse(GrantDatabases, message);
    if (!wanted.success) return;
    identity.grantDatabases(wanted.output.grant_databases);
    tellParent({ databases_granted: true } satisfies DatabasesGranted);
  });
}

async function createDatasets(bigquery: BigQueryServer, uid: string): Promise<void> {
  for (const { sql } of datasetDefinitions(uid).scripts) await bigquery.applyDdl(sql);
}
