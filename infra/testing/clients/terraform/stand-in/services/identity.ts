import { type Fields, fields, text } from "../json.ts";
import { type Kind, paths } from "../kinds.ts";
import { notFound } from "../refusal.ts";
import { digest, type Store } from "../store.ts";

const host = "iam.googleapis.com";

/** Accounts, roles and the identities of other clouds. */
export const identity: readonly Kind[] = [
  {
    host,
    path: paths("projects/*/serviceAccounts/*"),
    id: ({ body, project }) => `${text(body.accountId)}@${project}.iam.gserviceaccount.com`,
    kept: ({ serviceAccount, name }, { project, id }) => ({
      ...fields(serviceAccount),
      name,
      projectId: project,
      email: id,
      uniqueId: String(BigInt(`0x${digest(id).slice(0, 15)}`)),
    }),
  },
  {
    host,
    path: paths("projects/*/roles/*"),
    id: ({ body }) => text(body.roleId),
    kept: ({ role, name }) => ({ stage: "ALPHA", ...fields(role), name }),
  },
  {
    host,
    path: paths("projects/*/locations/global/workloadIdentityPools/*"),
    id: ({ query }) => query.get("workloadIdentityPoolId") ?? "",
    isOperation: true,
    shown: (pool) => ({ state: "ACTIVE", ...pool }),
  },
  {
    host,
    path: paths("projects/*/locations/global/workloadIdentityPools/*/providers/*"),
    id: ({ query }) => query.get("workloadIdentityPoolProviderId") ?? "",
    isOperation: true,
    shown: (provider) => ({ state: "ACTIVE", ...provider }),
  },
  { host: "secretmanager.googleapis.com", path: paths("projects/*/secrets/*"), id: ({ query }) => query.get("secretId") ?? "" },
];

/** Disables a service account, or enables it again. */
export function setDisabled(store: Store, path: string, disabled: boolean): Fields {
  const account = store.resources.get(`${host}/${path}`);
  if (!account) throw notFound(`${path} was not found`);
  store.resources.set(`${host}/${path}`, { ...account, disabled });
  return {};
}
