import { errorProto } from "../errors.ts";
import type { TableRef } from "../model.ts";
import { type DmlStatistics, type Job, type JobReference, type QueryStatistics, reservationId } from "./job.ts";
import { resultTable } from "./result-table.ts";

/** A table's name as the REST API nests it. */
function tableReference({ project, dataset, table }: TableRef): object {
  return { projectId: project, datasetId: dataset, tableId: table };
}

/** A job's name as the REST API nests it. */
export function jobReference({ project, location, id }: JobReference): object {
  return { projectId: project, jobId: id, location };
}

/** Returns the job as `jobs.get` shows it. `withTable`: with the name of the table that keeps its rows. */
export function jobResource(job: Job, withTable: boolean): object {
  const { project, location, id } = job.reference;
  return {
    kind: "bigquery#job",
    etag: `${id}-${job.state}`,
    id: `${project}:${location}.${id}`,
    selfLink: `/bigquery/v2/projects/${project}/jobs/${id}?location=${location}`,
    user_email: job.owner,
    configuration: configuration(job, withTable),
    jobReference: jobReference(job.reference),
    statistics: statistics(job),
    status: status(job),
  };
}

/** Returns the job as `jobs.list` shows it. */
export function jobListItem(job: Job, withTable: boolean): object {
  return { ...jobResource(job, withTable), state: job.state, ...(job.error ? { errorResult: errorProto(job.error) } : {}) };
}

function configuration(job: Job, withTable: boolean): object {
  const rows = withTable ? resultTable(job) : undefined;
  const work = { ...job.work.configuration, ...(rows ? { destinationTable: tableReference(rows) } : {}) };
  const labels = Object.keys(job.labels).length > 0 ? { labels: job.labels } : {};
  const dryRun = job.work.kind === "QUERY" && job.work.statistics.dryRun ? { dryRun: true } : {};
  const reservation = job.reservation === undefined ? {} : { reservation: job.reservation };
  return { jobType: job.work.kind, [job.work.kind.toLowerCase()]: work, ...labels, ...dryRun, ...reservation };
}

function status(job: Job): object {
  return {
    state: job.state,
    ...(job.error ? { errorResult: errorProto(job.error) } : {}),
    ...(job.errors.length > 0 ? { errors: job.errors } : {}),
  };
}

function statistics(job: Job): object {
  const times = {
    creationTime: String(job.creationTime),
    ...(job.startTime === undefined ? {} : { startTime: String(job.startTime) }),
    ...(job.endTime === undefined ? {} : { endTime: String(job.endTime) }),
    ...(job.parent ? { parentJobId: job.parent.reference.id } : {}),
    ...(job.reservation === undefined || job.reservation === "none" ? {} : { reservation_id: reservationId(job.reservation) }),
    ...(job.children.length > 0 ? { numChildJobs: String(job.children.length) } : {}),
  };
  if (job.work.kind === "LOAD") {
    const { inputFileBytes, outputRows, outputBytes } = job.work.statistics;
    return {
      ...times,
      load: {
        inputFiles: "1",
        inputFileBytes: String(inputFileBytes),
        outputRows: String(outputRows),
        outputBytes: String(outputBytes),
        badRecords: "0",
      },
    };
  }
  const bytes = String(job.work.statistics.totalBytesProcessed);
  return { ...times, totalBytesProcessed: bytes, query: queryStatisticsResource(job, job.work.statistics) };
}

function queryStatisticsResource(job: Job, query: QueryStatistics): object {
  const bytes = String(query.totalBytesProcessed);
  return {
    statementType: query.statementType,
    totalBytesProcessed: bytes,
    totalBytesBilled: String(query.totalBytesBilled),
    cacheHit: false,
    referencedTables: query.referencedTables.map(tableReference),
    ...(query.schema ? { schema: { fields: query.schema } } : {}),
    ...(query.dml ? dmlResource(query.dml) : {}),
    ...(query.ddl ? { ddlOperationPerformed: query.ddl.operation } : {}),
    ...(query.ddl?.table ? { ddlTargetTable: tableReference(query.ddl.table) } : {}),
    ...(query.exported
      ? { exportDataStatistics: { fileCount: String(query.exported.fileCount), rowCount: String(query.exported.rowCount) } }
      : {}),
    ...(job.startTime === undefined || query.dryRun ? {} : { queryPlan: query.stages.render(job.startTime, job.endTime) }),
  };
}

/** The counts of changed rows, as in a job's statistics and in a query's response. */
export function dmlResource({ inserted, updated, deleted }: DmlStatistics): object {
  return {
    numDmlAffectedRows: String(inserted + updated + deleted),
    dmlStats: {
      ...(inserted > 0 ? { insertedRowCount: String(inserted) } : {}),
      ...(updated > 0 ? { updatedRowCount: String(updated) } : {}),
      ...(deleted > 0 ? { deletedRowCount: String(deleted) } : {}),
    },
  };
}
