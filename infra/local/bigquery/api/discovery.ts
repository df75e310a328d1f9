/** Types of the query parameters that the methods below have. */
const QUERY_TYPES = {
  accessPolicyVersion: "integer",
  all: "boolean",
  allUsers: "boolean",
  autodetect_schema: "boolean",
  datasetView: "string",
  deleteContents: "boolean",
  filter: "string",
  "formatOptions.timestampOutputFormat": "string",
  "formatOptions.useInt64Timestamp": "boolean",
  location: "string",
  maxCreationTime: "string",
  maxResults: "integer",
  minCreationTime: "string",
  pageToken: "string",
  parentJobId: "string",
  projection: "string",
  selectedFields: "string",
  startIndex: "string",
  stateFilter: "string",
  timeoutMs: "integer",
  updateMode: "string",
  view: "string",
} as const;

const REPEATED = "stateFilter";
const PAGES = ["maxResults", "pageToken"] as const;
const ROWS = [...PAGES, "startIndex", "formatOptions.useInt64Timestamp", "formatOptions.timestampOutputFormat"] as const;
const CHANGED_DATASET = ["accessPolicyVersion", "updateMode"] as const;
const DATASETS = "projects/{+projectId}/datasets";
const DATASET = `${DATASETS}/{+datasetId}`;
const TABLES = `${DATASET}/tables`;
const TABLE = `${TABLES}/{+tableId}`;
const JOBS = "projects/{+projectId}/jobs";
const JOB = `${JOBS}/{+jobId}`;
const QUERIES = "projects/{+projectId}/queries";

interface Method {
  readonly verb: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: readonly (keyof typeof QUERY_TYPES)[];
  /** The names of the bodies' schemas. */
  readonly request?: string;
  readonly response?: string;
  /** Where a file is uploaded with the body. */
  readonly upload?: string;
}

/**
 * The methods of BigQuery v2 that `bq` and Google's discovery-based clients call for jobs, datasets and tables. Those that change tables are
 * there, too: whoever calls them gets the reason of the refusal from the service, not an error of the client.
 */
const METHODS: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  projects: {
    list: { verb: "GET", path: "projects", query: PAGES, response: "ProjectList" },
  },
  datasets: {
    delete: { verb: "DELETE", path: DATASET, query: ["deleteContents"] },
    get: { verb: "GET", path: DATASET, query: ["accessPolicyVersion", "datasetView"], response: "Dataset" },
    insert: { verb: "POST", path: DATASETS, query: ["accessPolicyVersion"], request: "Dataset", response: "Dataset" },
    list: { verb: "GET", path: DATASETS, query: [...PAGES, "all", "filter"], response: "DatasetList" },
    patch: { verb: "PATCH", path: DATASET, query: CHANGED_DATASET, request: "Dataset", response: "Dataset" },
    update: { verb: "PUT", path: DATASET, query: CHANGED_DATASET, request: "Dataset", response: "Dataset" },
  },
  tables: {
    delete: { verb: "DELETE", path: TABLE },
    get: { verb: "GET", path: TABLE, query: ["selectedFields", "view"], response: "Table" },
    insert: { verb: "POST", path: TABLES, request: "Table", response: "Table" },
    list: { verb: "GET", path: TABLES, query: PAGES, response: "TableList" },
    patch: { verb: "PATCH", path: TABLE, query: ["autodetect_schema"], request: "Table", response: "Table" },
    update: { verb: "PUT", path: TABLE, query: ["autodetect_schema"], request: "Table", response: "Table" },
  },
  tabledata: {
    insertAll: { verb: "POST", path: `${TABLE}/insertAll`, request: "TableDataInsertAllRequest", response: "TableDataInsertAllResponse" },
    list: { verb: "GET", path: `${TABLE}/data`, query: [...ROWS, "selectedFields"], response: "TableDataList" },
  },
  routines: {
    list: { verb: "GET", path: `${DATASET}/routines`, query: [...PAGES, "filter"], response: "ListRoutinesResponse" },
  },
  jobs: {
    cancel: { verb: "POST", path: `${JOB}/cancel`, query: ["location"], response: "JobCancelResponse" },
    delete: { verb: "DELETE", path: `${JOB}/delete`, query: ["location"] },
    get: { verb: "GET", path: JOB, query: ["location", "projection"], response: "Job" },
    getQueryResults: {
      verb: "GET",
      path: `${QUERIES}/{+jobId}`,
      query: [...ROWS, "location", "timeoutMs"],
      response: "GetQueryResultsResponse",
    },
    insert: { verb: "POST", path: JOBS, request: "Job", response: "Job", upload: `/upload/bigquery/v2/${JOBS}` },
    list: {
      verb: "GET",
      path: JOBS,
      query: [...PAGES, "allUsers", "maxCreationTime", "minCreationTime", "parentJobId", "projection", "stateFilter"],
      response: "JobList",
    },
    query: { verb: "POST", path: QUERIES, request: "QueryRequest", response: "QueryResponse" },
  },
};

/** The token of the next page, by the schema that has one. */
const PAGE_TOKENS: Readonly<Record<string, string>> = {
  DatasetList: "nextPageToken",
  GetQueryResultsResponse: "pageToken",
  JobList: "nextPageToken",
  ListRoutinesResponse: "nextPageToken",
  ProjectList: "nextPageToken",
  TableDataList: "pageToken",
  TableList: "nextPageToken",
};

/** The addresses of the document: that of every Google API's own host, which `bq --api` asks for, and that of the discovery service. */
export const DISCOVERY_PATHS: readonly string[] = ["/$discovery/rest", "/discovery/v1/apis/bigquery/v2/rest"];

/**
 * Returns the discovery document of this server in Google's format, from which `bq` and google-api-python-client make their methods. Schemas
 * have names only: the clients send and return bodies as they are.
 * @param rootUrl the server's address with a slash at its end
 */
export function discoveryDocument(rootUrl: string): object {
  const servicePath = "bigquery/v2/";
  return {
    kind: "discovery#restDescription",
    discoveryVersion: "v1",
    id: "bigquery:v2",
    name: "bigquery",
    version: "v2",
    title: "BigQuery API",
    protocol: "rest",
    rootUrl,
    servicePath,
    basePath: `/${servicePath}`,
    baseUrl: `${rootUrl}${servicePath}`,
    batchPath: "batch/bigquery/v2",
    fullyEncodeReservedExpansion: true,
    parameters: {
      alt: { type: "string", location: "query", enum: ["json"], default: "json" },
      fields: { type: "string", location: "query" },
      prettyPrint: { type: "boolean", location: "query", default: "true" },
      quotaUser: { type: "string", location: "query" },
    },
    auth: { oauth2: { scopes: { "https://www.googleapis.com/auth/bigquery": { description: "Query and list the customer's dataset" } } } },
    schemas: schemas(),
    resources: mapValues(METHODS, (methods, resource) => ({
      methods: mapValues(methods, (method, name) => methodResource(`bigquery.${resource}.${name}`, method)),
    })),
  };
}

function methodResource(id: string, { verb, path, query = [], request, response, upload }: Method): object {
  const inPath = [...path.matchAll(/\{\+(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    id,
    path,
    httpMethod: verb,
    parameterOrder: inPath,
    parameters: Object.fromEntries([
      ...inPath.map((name) => [name, { type: "string", location: "path", required: true, pattern: "^[^/]+$" }]),
      ...query.map((name) => [name, { type: QUERY_TYPES[name], location: "query", ...(name === REPEATED ? { repeated: true } : {}) }]),
    ]),
    ...(request === undefined ? {} : { request: { $ref: request } }),
    ...(response === undefined ? {} : { response: { $ref: response } }),
    ...(upload === undefined
      ? {}
      : { supportsMediaUpload: true, mediaUpload: { accept: ["*/*"], protocols: { simple: { multipart: true, path: upload } } } }),
  };
}

function schemas(): object {
  const names = Object.values(METHODS).flatMap((methods) => Object.values(methods).flatMap(({ request, response }) => [request, response]));
  const named = names.filter((name) => name !== undefined).sort();
  return Object.fromEntries(
    named.map((id) => {
      const token = PAGE_TOKENS[id];
      return [id, { id, type: "object", properties: token === undefined ? {} : { [token]: { type: "string" } } }];
    }),
  );
}

function mapValues<Value>(of: Readonly<Record<string, Value>>, map: (value: Value, name: string) => object): object {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value, name)]));
}
