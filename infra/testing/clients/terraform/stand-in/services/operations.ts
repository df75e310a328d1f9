import { type Fields, fields, items, text } from "../json.ts";
import { type Kind, paths } from "../kinds.ts";
import { digest, MADE } from "../store.ts";

const LOGGING = "logging.googleapis.com";
const MONITORING = "monitoring.googleapis.com";

/** Cloud Monitoring names a kind's resources itself. */
function numbered(form: string): Pick<Kind, "host" | "path" | "id"> {
  return { host: MONITORING, path: paths(form), id: ({ store }) => store.nextNumber() };
}

/** What Cloud Monitoring knows of a metric of logs. A label is a text unless it says what else. */
function descriptor(metric: Fields, project: string): Fields {
  const given = fields(metric.metricDescriptor);
  const labels = items(given.labels).map(fields);
  return {
    name: `projects/${project}/metricDescriptors/logging.googleapis.com/user/${text(metric.name)}`,
    type: `logging.googleapis.com/user/${text(metric.name)}`,
    metricKind: "DELTA",
    valueType: "INT64",
    ...given,
    labels: labels.map(({ valueType, ...label }) => (valueType === "STRING" ? label : { ...label, valueType })),
  };
}

const logging: readonly Kind[] = [
  {
    host: LOGGING,
    path: paths("projects/*/metrics/**"),
    hasOwnName: true,
    id: ({ body }) => text(body.name),
    shown: (metric, { project }) => ({ ...metric, metricDescriptor: descriptor(metric, project) }),
  },
  {
    host: LOGGING,
    path: paths("projects/*/sinks/*"),
    hasOwnName: true,
    id: ({ body }) => text(body.name),
    shown: (sink, { project, store }) => {
      const isOwn = text(sink.destination).startsWith(`logging.googleapis.com/projects/${project}/`);
      const writerIdentity = `serviceAccount:service-${store.numberOf(project)}@gcp-sa-logging.iam.gserviceaccount.com`;
      return isOwn ? sink : { ...sink, writerIdentity };
    },
  },
  {
    host: LOGGING,
    path: paths("projects/*/locations/*/buckets/*"),
    id: ({ query }) => query.get("bucketId") ?? "",
    isOperation: true,
    shown: (bucket) => ({ lifecycleState: "ACTIVE", retentionDays: 30, ...bucket }),
  },
  { host: LOGGING, path: paths("projects/*/locations/*/buckets/*/views/*"), id: ({ query }) => query.get("viewId") ?? "" },
];

const monitoring: readonly Kind[] = [
  numbered("projects/*/notificationChannels/*"),
  {
    ...numbered("projects/*/alertPolicies/*"),
    kept: (policy, { path }) => ({
      ...policy,
      conditions: items(policy.conditions).map((one, index) => ({ ...fields(one), name: `${path}/conditions/${index + 1}` })),
    }),
    shown: (policy) => ({ enabled: true, ...policy }),
  },
  numbered("projects/*/uptimeCheckConfigs/*"),
  {
    host: MONITORING,
    path: paths("projects/*/services/*"),
    id: ({ query }) => query.get("serviceId") ?? "",
    shown: (service) => ({ custom: {}, telemetry: {}, ...service }),
  },
  {
    host: MONITORING,
    path: paths("projects/*/services/*/serviceLevelObjectives/*"),
    id: ({ query }) => query.get("serviceLevelObjectiveId") ?? "",
    kept: (objective, { path, project, store }) => ({ ...objective, name: path.replace(project, store.numberOf(project)) }),
  },
  { ...numbered("projects/*/dashboards/*"), kept: (dashboard) => ({ ...dashboard, etag: digest(JSON.stringify(dashboard)) }) },
];

/** Cloud Logging and Cloud Monitoring, images and the budget. */
export const operations: readonly Kind[] = [
  ...logging,
  ...monitoring,
  {
    host: "artifactregistry.googleapis.com",
    path: paths("projects/*/locations/*/repositories/*"),
    id: ({ query }) => query.get("repository_id") ?? "",
    isOperation: true,
    shown: (repository) => ({ createTime: MADE, updateTime: MADE, mode: "STANDARD_REPOSITORY", ...repository }),
  },
  {
    host: "billingbudgets.googleapis.com",
    path: paths("billingAccounts/*/budgets/*"),
    id: ({ store }) => store.nextNumber(),
    shown: (budget) => {
      const amount = fields(budget.amount);
      const specifiedAmount = { currencyCode: "EUR", ...fields(amount.specifiedAmount) };
      return {
        ...budget,
        budgetFilter: { creditTypesTreatment: "INCLUDE_ALL_CREDITS", ...fields(budget.budgetFilter) },
        amount: { ...amount, specifiedAmount },
      };
    },
  },
];
