import table from "../../generated/grants.json" with { type: "json" };

/**
 * The permissions of Google's roles that the local cloud checks. Source: https://cloud.google.com/iam/docs/roles-permissions; of the last two:
 * `terraform/modules/customer-plan`.
 */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  "roles/bigquery.dataEditor": [
    ...["bigquery.datasets.get", "bigquery.tables.create", "bigquery.tables.delete", "bigquery.tables.get", "bigquery.tables.getData"],
    ...["bigquery.tables.list", "bigquery.tables.update", "bigquery.tables.updateData"],
  ],
  "roles/bigquery.dataViewer": ["bigquery.datasets.get", "bigquery.tables.get", "bigquery.tables.getData", "bigquery.tables.list"],
  "roles/bigquery.jobUser": ["bigquery.jobs.create"],
  "roles/cloudtasks.enqueuer": ["cloudtasks.tasks.create"],
  "roles/datastore.user": [
    ...["datastore.databases.get", "datastore.entities.get", "datastore.entities.list"],
    ...["datastore.entities.create", "datastore.entities.delete", "datastore.entities.update"],
  ],
  "roles/datastore.viewer": ["datastore.databases.get", "datastore.entities.get", "datastore.entities.list"],
  "roles/iam.serviceAccountUser": ["iam.serviceAccounts.actAs"],
  "roles/pubsub.publisher": ["pubsub.topics.publish"],
  "roles/storage.objectUser": [
    ...["storage.objects.create", "storage.objects.delete", "storage.objects.get", "storage.objects.list", "storage.objects.update"],
  ],
  mint_tokens: ["iam.serviceAccounts.getAccessToken"],
  sign_urls: ["iam.serviceAccounts.signBlob"],
  ...Object.fromEntries(Object.entries(table.custom_roles).map(([name, { permissions }]) => [name, permissions])),
};

const GRANTS = new Map(Object.entries(table.grants).map(([name, { role, on }]) => [name, { permissions: permissionsOf(role), on }]));

/** Throws for a role that is not listed above: its grants would give nothing. */
function permissionsOf(role: string): readonly string[] {
  const permissions = ROLES[role];
  if (!permissions) throw new Error(`The local cloud does not know what the role ${role} permits, which a grant names`);
  return permissions;
}

/**
 * Whether one of the grants (names of `grants.json`) has a permission on a resource, in the form that grants have it: `project`,
 * `database:usage`, `topic:jobs`, `dataset:mobility`, `table:realtime.presence`. A grant on a dataset reaches its tables.
 */
export function isGranted(grants: readonly string[], permission: string, resource: string): boolean {
  const dataset = /^table:(\w+)\./.exec(resource)?.[1];
  return grants.some((name) => {
    const grant = GRANTS.get(name);
    if (!grant?.permissions.includes(permission)) return false;
    return grant.on === resource || (dataset !== undefined && grant.on === `dataset:${dataset}`);
  });
}
