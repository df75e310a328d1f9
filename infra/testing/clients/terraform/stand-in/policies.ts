import { at, type Fields, fields, items, text } from "./json.ts";
import { conflict, invalid } from "./refusal.ts";
import type { Store } from "./store.ts";

// https://cloud.google.com/iam/docs/principal-identifiers
const MEMBER =
  /^(allUsers|allAuthenticatedUsers|(user|group|domain|serviceAccount|projectOwner|projectEditor|projectViewer):\S+|principal(Set)?:\/\/iam\.googleapis\.com\/\S+|deleted:\S+)$/;
const POOL = /projects\/(\d+)\/locations\/global\/workloadIdentityPools\/([^/]+)/;
const PROJECTS = "cloudresourcemanager.googleapis.com/";

/** Returns the policy of a resource, `host/path`. */
export function policyOf(store: Store, resource: string): Fields {
  return store.policies.get(resource) ?? { version: 1, etag: "ACAB", bindings: firstBindings(store, resource) };
}

/** What a project and a bucket have when nobody has set a policy. */
function firstBindings(store: Store, resource: string): readonly Fields[] {
  if (resource.startsWith(PROJECTS)) return [{ role: "roles/owner", members: ["user:owner@example.com"] }];
  if (!/^storage\.googleapis\.com\/b\/[^/]+$/.test(resource)) return [];
  const project = text(store.resources.get(resource)?.project);
  const owners = [`projectEditor:${project}`, `projectOwner:${project}`];
  return [
    { role: "roles/storage.legacyBucketOwner", members: owners },
    { role: "roles/storage.legacyBucketReader", members: [`projectViewer:${project}`] },
  ];
}

/** Keeps a policy. Throws a Refusal if it names a member or a role that does not exist, or was read before another change. */
export function setPolicy(store: Store, resource: string, policy: Fields): Fields {
  const old = policyOf(store, resource);
  if (policy.etag !== undefined && policy.etag !== old.etag)
    throw conflict("ABORTED", `There were concurrent policy changes of ${resource}`);
  const bindings = items(policy.bindings).map(fields);
  checkBindings(store, resource, bindings, policy.version);
  const auditConfigs = policy.auditConfigs ?? old.auditConfigs;
  for (const kind of items(auditConfigs).flatMap((config) => items(at(config, "auditLogConfigs"))))
    for (const member of items(at(kind, "exemptedMembers"))) checkMember(store, resource, text(member));
  const kept = {
    version: bindings.some(({ condition }) => condition !== undefined) ? 3 : 1,
    etag: `BwY${store.nextNumber()}=`,
    bindings: bindings.map((binding) => ({ ...binding, members: [...new Set(items(binding.members).map(text))].sort() })),
    ...(auditConfigs === undefined ? {} : { auditConfigs }),
  };
  store.policies.set(resource, kept);
  return kept;
}

/** Whether a policy gives a member a role. */
export function grants(store: Store, resource: string, role: string, member: string): boolean {
  return items(policyOf(store, resource).bindings).some((one) => at(one, "role") === role && items(at(one, "members")).includes(member));
}

function checkBindings(store: Store, resource: string, bindings: readonly Fields[], version: unknown): void {
  const seen = new Set<string>();
  for (const { role, members, condition } of bindings) {
    checkRole(store, resource, text(role));
    const one = JSON.stringify([role, condition]);
    if (seen.has(one)) throw invalid(`Two bindings of ${one}`);
    seen.add(one);
    if (items(members).length === 0) throw invalid(`The binding of ${text(role)} has no members`);
    // https://cloud.google.com/iam/docs/policies#versions, https://cloud.google.com/iam/docs/conditions-overview
    if (condition !== undefined && version !== 3) throw invalid("A policy with conditions needs version 3");
    if (condition !== undefined && /^roles\/(owner|editor|viewer)$/.test(text(role))) throw invalid(`${text(role)} takes no condition`);
    for (const member of items(members)) checkMember(store, resource, text(member));
  }
}

function checkRole(store: Store, resource: string, role: string): void {
  const [, project] = /^projects\/([^/]+)\/roles\/[^/]+$/.exec(role) ?? [];
  if (project === undefined) {
    if (!/^roles\/[\w.]+$/.test(role)) throw invalid(`Role ${role} is not supported for this resource.`);
    return;
  }
  if (!store.resources.has(`iam.googleapis.com/${role}`)) throw invalid(`Role ${role} does not exist in the resource's hierarchy.`);
  const [, owner] = /\/projects\/([^/:]+)/.exec(resource) ?? [];
  if (owner !== undefined && owner !== project) throw invalid(`Role ${role} is another project's than ${resource}`);
}

function checkMember(store: Store, resource: string, member: string): void {
  if (!MEMBER.test(member)) throw invalid(`Invalid member ${member}`);
  if (member.startsWith("all") && resource.startsWith(PROJECTS)) throw invalid(`${member} is not supported on projects`);
  const [, kind, name = ""] = /^(serviceAccount|projectOwner|projectEditor|projectViewer):(.+)$/.exec(member) ?? [];
  if (kind === "serviceAccount" && !store.hasAccount(name)) throw invalid(`Service account ${name} does not exist.`);
  if (kind?.startsWith("project") && !store.hasProject(name)) throw invalid(`There is no project ${name}`);
  const [, number = "", pool = ""] = POOL.exec(member) ?? [];
  if (
    pool !== "" &&
    !store.resources.has(`iam.googleapis.com/projects/${store.idOf(number)}/locations/global/workloadIdentityPools/${pool}`)
  )
    throw invalid(`The identity pool of ${member} does not exist`);
}
