import { at, type Fields, fields, isFields, items, text } from "../json.ts";
import { type Kind, lastPart, paths } from "../kinds.ts";
import { invalid } from "../refusal.ts";
import { digest, MADE } from "../store.ts";

const BIGQUERY = "bigquery.googleapis.com";
const STORAGE = "storage.googleapis.com";
const FIRESTORE = "firestore.googleapis.com";
const RULES = "firebaserules.googleapis.com";
const TOPIC_HOST = "//pubsub.googleapis.com/";

/** The old names that BigQuery shows of roles. */
const OLD_ROLES: ReadonlyMap<unknown, string> = new Map([
  ["roles/bigquery.dataOwner", "OWNER"],
  ["roles/bigquery.dataEditor", "WRITER"],
  ["roles/bigquery.dataViewer", "READER"],
]);
/** Who may read a new dataset if its maker does not say. */
const FIRST_ACCESS: readonly Fields[] = [
  { role: "WRITER", specialGroup: "projectWriters" },
  { role: "OWNER", specialGroup: "projectOwners" },
  { role: "OWNER", userByEmail: "owner@example.com" },
  { role: "READER", specialGroup: "projectReaders" },
];

function datasetAccess(given: unknown): readonly Fields[] {
  const access = given === undefined ? FIRST_ACCESS : items(given).map(fields);
  const named = access.map((one) => (OLD_ROLES.has(one.role) ? { ...one, role: OLD_ROLES.get(one.role) } : one));
  if (!named.some(({ role }) => role === "OWNER")) throw invalid("A dataset needs an owner");
  return [...new Map(named.map((one) => [JSON.stringify(one), one])).values()];
}

const buckets: readonly Kind[] = [
  {
    host: STORAGE,
    path: paths("b/*"),
    hasOwnName: true,
    id: ({ body }) => text(body.name),
    shown: ({ project, ...bucket }, { id, store }) => {
      const uniform = fields(at(bucket, "iamConfiguration", "uniformBucketLevelAccess"));
      return {
        id,
        selfLink: `https://www.googleapis.com/storage/v1/b/${id}`,
        projectNumber: store.numberOf(text(project)),
        timeCreated: MADE,
        updated: MADE,
        locationType: "region",
        storageClass: "STANDARD",
        ...bucket,
        location: text(bucket.location).toUpperCase(),
        iamConfiguration: { publicAccessPrevention: "inherited", ...fields(bucket.iamConfiguration), uniformBucketLevelAccess: uniform },
        softDeletePolicy: { retentionDurationSeconds: "604800", ...fields(bucket.softDeletePolicy) },
      };
    },
  },
  // Their names end with a slash, and may have more.
  { host: STORAGE, path: /^b\/[^/]+\/managedFolders\/(new|.+\/)$/, hasOwnName: true, id: ({ body }) => text(body.name) },
  {
    host: STORAGE,
    path: paths("b/*/notificationConfigs/*"),
    hasOwnName: true,
    id: ({ store }) => store.nextNumber(),
    shown: (one, { id }) => ({ ...one, id, topic: `${TOPIC_HOST}${text(one.topic).replace(TOPIC_HOST, "")}` }),
  },
];

const warehouse: readonly Kind[] = [
  {
    host: BIGQUERY,
    path: paths("projects/*/datasets/*"),
    hasOwnName: true,
    isDense: true,
    id: ({ body }) => text(at(body, "datasetReference", "datasetId")),
    kept: (dataset) => ({ ...dataset, access: datasetAccess(dataset.access) }),
    shown: (dataset, { path, project, id }) => ({
      id: `${project}:${id}`,
      selfLink: `https://bigquery.googleapis.com/bigquery/v2/${path}`,
      maxTimeTravelHours: "168",
      ...dataset,
      location: text(dataset.location).length === 2 ? text(dataset.location).toUpperCase() : text(dataset.location).toLowerCase(),
      etag: digest(JSON.stringify(dataset)),
    }),
  },
  {
    host: BIGQUERY,
    path: paths("projects/*/datasets/*/tables/*"),
    hasOwnName: true,
    isDense: true,
    id: ({ body }) => text(at(body, "tableReference", "tableId")),
    shown: (table, { path, store }) => ({
      id: path,
      selfLink: `https://bigquery.googleapis.com/bigquery/v2/${path}`,
      type: table.view === undefined ? "TABLE" : "VIEW",
      location: store.resources.get(`${BIGQUERY}/${path.replace(/\/tables\/.*$/, "")}`)?.location,
      ...table,
      etag: digest(JSON.stringify(table)),
    }),
  },
];

const documents: readonly Kind[] = [
  {
    host: FIRESTORE,
    path: paths("projects/*/databases/*"),
    isOperation: true,
    id: ({ query }) => query.get("databaseId") ?? "",
    shown: (database) => ({ databaseEdition: "STANDARD", realtimeUpdatesMode: "REALTIME_UPDATES_MODE_ENABLED", ...database }),
  },
  {
    host: FIRESTORE,
    path: paths("projects/*/databases/*/collectionGroups/*/indexes/*"),
    isOperation: true,
    id: ({ store }) => store.nextNumber(),
    shown: (index) => ({ state: "READY", density: "SPARSE_ALL", ...index, fields: withDocumentName(items(index.fields)) }),
  },
  {
    host: FIRESTORE,
    path: paths("projects/*/databases/*/collectionGroups/*/fields/*"),
    isOperation: true,
    isAlways: true,
    shown: (field, { path, id }) => ({
      ...field,
      indexConfig: {
        ancestorField: path.replace(/collectionGroups\/.*$/, "collectionGroups/__default__/fields/*"),
        ...(isFields(field.indexConfig) ? { indexes: ownIndexes(field.indexConfig, id) } : { usesAncestorConfig: true }),
      },
      ...(isFields(field.ttlConfig) ? { ttlConfig: { state: "ACTIVE" } } : { ttlConfig: undefined }),
    }),
  },
  { host: FIRESTORE, path: paths("projects/*/databases/*/backupSchedules/*"), id: ({ store }) => store.nextNumber() },
  {
    host: RULES,
    path: paths("projects/*/rulesets/*"),
    id: ({ store }) => store.nextNumber(),
    shown: (rules) => ({ createTime: MADE, metadata: { services: ["cloud.firestore"] }, ...rules }),
  },
  {
    host: RULES,
    path: paths("projects/*/releases/**"),
    id: ({ body }) => text(body.name).split("/releases/")[1] ?? lastPart(text(body.name)),
    shown: (release) => ({ createTime: MADE, updateTime: MADE, ...release }),
  },
];

/** Each index ends with the document's name, in the direction of the field before it. */
function withDocumentName(all: readonly unknown[]): readonly unknown[] {
  if (all.some((field) => at(field, "fieldPath") === "__name__")) return all;
  return [...all, { fieldPath: "__name__", order: at(all.at(-1), "order") ?? "ASCENDING" }];
}

function ownIndexes(config: unknown, field: string): readonly Fields[] {
  return items(at(config, "indexes")).map((index) => ({
    state: "READY",
    ...fields(index),
    fields: items(at(index, "fields")).map((one) => ({ fieldPath: field, ...fields(one) })),
  }));
}

/** Cloud Storage, BigQuery and Firestore. */
export const data: readonly Kind[] = [...buckets, ...warehouse, ...documents];
