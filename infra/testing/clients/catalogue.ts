import { bqCommand } from "./bq/client.ts";
import { firefox, webkit } from "./browsers/client.ts";
import { buildah } from "./buildah/client.ts";
import { checkov } from "./checkov/client.ts";
import type { Client } from "./client.ts";
import { dbtBigQuery } from "./dbt/client.ts";
import { gcloudStorage, gsutil } from "./gcloud/client.ts";
import { gdal } from "./gdal/client.ts";
import { geopandas } from "./geopandas/client.ts";
import { go } from "./go/client.ts";
import { java } from "./java/client.ts";
import { nodeBigQuery } from "./node-bigquery/client.ts";
import { nodeDuckDb } from "./node-duckdb/client.ts";
import { nodeStorage } from "./node-storage/client.ts";
import { openapiGenerator } from "./openapi/generator.ts";
import { openapiNode } from "./openapi/node.ts";
import { openapiPython } from "./openapi/python.ts";
import { schemathesis } from "./openapi/schemathesis.ts";
import { opentelemetry } from "./opentelemetry/client.ts";
import { porcupine } from "./porcupine/client.ts";
import { pythonBigQuery } from "./python-bigquery/client.ts";
import { pythonStorage } from "./python-storage/client.ts";
import { rLanguage } from "./r/client.ts";
import { spark } from "./spark/client.ts";
import { sqlalchemy } from "./sqlalchemy/client.ts";
import { sqlmap } from "./sqlmap/client.ts";
import { terraformProvider } from "./terraform/client.ts";

/** Every client that `npm run clients` runs, in this order. */
export const clients: readonly Client[] = [
  ...[
    pythonBigQuery,
    sqlalchemy,
    dbtBigQuery,
    bqCommand,
    nodeBigQuery,
    nodeStorage,
    nodeDuckDb,
    pythonStorage,
    java,
    go,
    rLanguage,
    gcloudStorage,
    gsutil,
  ],
  ...[
    gdal,
    geopandas,
    spark,
    openapiPython,
    openapiNode,
    openapiGenerator,
    schemathesis,
    sqlmap,
    firefox,
    webkit,
    opentelemetry,
    buildah,
    terraformProvider,
    checkov,
    porcupine,
  ],
];

/** The clients with a quick check. */
export const quickClients: readonly Client[] = clients.filter(({ checks }) => checks.some(({ quick }) => quick));
