import type { TableRequest } from "../api/table-requests.ts";
import { BigQueryError, type Partitioning, type TableInfo } from "../model.ts";
import type { ReadEstimate } from "./bytes.ts";
import type { DatasetEntry, TableEntry } from "./catalog.ts";

/** Converts the REST API's TimePartitioning to the model. */
export function partitioningOf(given: NonNullable<TableRequest["timePartitioning"]>): Partitioning {
  const { field, type, expirationMs } = given;
  return { column: field, unit: type, ...(expirationMs === undefined || expirationMs === null ? {} : { expirationMs }) };
}

/** Converts the body of `tables.insert` to a definition. Throws `invalid` for a view with a schema of its own. */
export function tableOfRequest(project: string, dataset: string, request: TableRequest): TableInfo {
  const { tableReference, schema, timePartitioning, clustering, description, view } = request;
  if (view && (timePartitioning || clustering)) throw new BigQueryError("invalid", "A view cannot be partitioned or clustered.");
  return {
    ref: { project, dataset, table: tableReference.tableId },
    fields: schema?.fields ?? [],
    ...(timePartitioning ? { partitioning: partitioningOf(timePartitioning) } : {}),
    requirePartitionFilter: request.requirePartitionFilter ?? timePartitioning?.requirePartitionFilter ?? false,
    clustering: clustering?.fields ?? [],
    ...(description === undefined ? {} : { description }),
    ...(view ? { view: view.query } : {}),
  };
}

/** The fields that `tables.get` and `tables.list` share. */
export function tableSummary(entry: TableEntry, dataset: DatasetEntry): object {
  const { ref, partitioning, requirePartitionFilter, clustering, view } = entry.info;
  return {
    kind: "bigquery#table",
    id: `${ref.project}:${ref.dataset}.${ref.table}`,
    tableReference: { projectId: ref.project, datasetId: ref.dataset, tableId: ref.table },
    type: view === undefined ? "TABLE" : "VIEW",
    location: dataset.location,
    creationTime: String(entry.creationTime),
    ...(entry.expirationTime === undefined ? {} : { expirationTime: String(entry.expirationTime) }),
    ...(Object.keys(entry.labels).length > 0 ? { labels: entry.labels } : {}),
    ...(partitioning
      ? {
          timePartitioning: {
            type: partitioning.unit,
            field: partitioning.column,
            ...(partitioning.expirationMs === undefined ? {} : { expirationMs: String(partitioning.expirationMs) }),
          },
        }
      : {}),
    ...(requirePartitionFilter ? { requirePartitionFilter } : {}),
    ...(clustering.length > 0 ? { clustering: { fields: clustering } } : {}),
    ...(view === undefined ? {} : { view: { query: view, useLegacySql: false } }),
  };
}

/** Returns the whole table as `tables.get` shows it. A view has no size. */
export function tableResource(entry: TableEntry, dataset: DatasetEntry, size: ReadEstimate | undefined): object {
  const { ref, fields, description } = entry.info;
  return {
    ...tableSummary(entry, dataset),
    etag: `${entry.creationTime}-${entry.lastModifiedTime}`,
    selfLink: `/bigquery/v2/projects/${ref.project}/datasets/${ref.dataset}/tables/${ref.table}`,
    schema: { fields },
    lastModifiedTime: String(entry.lastModifiedTime),
    ...(description === undefined ? {} : { description }),
    ...(size ? { numRows: String(size.rows), numBytes: String(size.bytes) } : {}),
  };
}

/** Returns the dataset as `datasets.get` shows it. */
export function datasetResource(project: string, entry: DatasetEntry): object {
  return {
    kind: "bigquery#dataset",
    etag: String(entry.lastModifiedTime),
    id: `${project}:${entry.id}`,
    selfLink: `/bigquery/v2/projects/${project}/datasets/${entry.id}`,
    datasetReference: { projectId: project, datasetId: entry.id },
    location: entry.location,
    type: "DEFAULT",
    creationTime: String(entry.creationTime),
    lastModifiedTime: String(entry.lastModifiedTime),
    ...(entry.description === undefined ? {} : { description: entry.description }),
    ...(Object.keys(entry.labels).length > 0 ? { labels: entry.labels } : {}),
    ...(entry.defaultTableExpirationMs === undefined ? {} : { defaultTableExpirationMs: String(entry.defaultTableExpirationMs) }),
  };
}
