import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import functions from "../../infra/generated/functions.json" with { type: "json" };

/**
 * `terraform test` holds what the modules without a provider decide. This holds, as text, that resources follow them; and that no worker is
 * public, which a machine without Terraform checks too.
 */
const TERRAFORM = join(import.meta.dirname, "../../terraform");
const sources = readdirSync(TERRAFORM, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tf") && !/(^|\/)(\.terraform|tests)\//.test(file))
  .sort()
  .map((file) => ({ file, text: readFileSync(join(TERRAFORM, file), "utf8").replaceAll(/^\s*#.*$/gm, "") }));

/** Returns the lines of code that match, as `file: line`, without texts for people. */
function lines(pattern: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    text
      .split("\n")
      .filter((line) => pattern.test(line) && !/^\s*(description|error_message)\s/.test(line))
      .map((line) => `${file}: ${line.trim().replaceAll(/ +/g, " ")}`),
  );
}

/** Returns the blocks of resources whose type matches: files, types and arguments by name, the first of a name. */
function resources(type: RegExp) {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^resource "(\w+)" "\w+" \{\n(.*?)^\}/gms)].flatMap(([, found = "", body = ""]) => {
      const fields = [...body.matchAll(/^ +(\w+) += (.*)$/gm)].map(([, name = "", value = ""]) => [name, value] as const);
      return type.test(found) ? [{ file, type: found, fields: Object.fromEntries(fields.reverse()) }] : [];
    }),
  );
}

it("every folder asks for the same versions of a provider, so that one fits all, and only the roots are locked", () => {
  const versions = new Map<string, Set<string>>();
  for (const { text } of sources)
    for (const [, source = "", version = ""] of text.matchAll(/source\s*=\s*"(hashicorp\/\w+)"\s*version\s*=\s*"([^"]+)"/g))
      versions.set(source, (versions.get(source) ?? new Set()).add(version));
  expect(Object.fromEntries([...versions].map(([source, asked]) => [source, [...asked]]))).toEqual({
    "hashicorp/google": [">= 7.45, < 9"],
    "hashicorp/time": [expect.any(String)],
  });
});

it("only an endpoint is public, because it requires a key, and the console, which is the same for everybody", () => {
  expect(lines(/allUsers|allAuthenticatedUsers/)).toEqual([
    'modules/console/bucket.tf: member = "allUsers"',
    expect.stringMatching(
      /^modules\/environment-plan\/functions\.tf: invoker = one\.trigger != "http" \? "serviceAccount:\$\{local\.callers\[name\]\}" : var\.endpoint_access == "ALL_USERS" \? "allUsers" : null$/,
    ),
    expect.stringMatching(
      /^modules\/function\/variables\.tf: condition = \(var\.invoker == null \? "allUsers" : var\.invoker\) == "allUsers" \? var\.trigger == "http" :/,
    ),
  ]);
  expect(lines(/^\s*(invoker|invoker_iam_disabled)\s*=/)).toEqual([
    expect.stringContaining("modules/environment-plan/functions.tf: "),
    "modules/environment/functions.tf: invoker = each.value.invoker",
    "modules/function/service.tf: invoker_iam_disabled = var.invoker == null",
  ]);
  expect(new Set(functions.map(({ trigger }) => trigger))).toEqual(new Set(["http", "topic", "schedule"]));
});

it("a worker takes calls from inside Google only, and in production an endpoint takes them through the load balancer", () => {
  // modules/quotas creates nothing: it counts.
  const ingress = lines(/^\s*ingress\s*=/).filter((line) => !line.startsWith("modules/quotas/"));
  expect(ingress).toEqual([
    'environments/dev/main.tf: ingress = "INGRESS_TRAFFIC_ALL"',
    'environments/prod/main.tf: ingress = "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"',
    'modules/environment-plan/functions.tf: ingress = one.trigger == "http" ? var.ingress : "INGRESS_TRAFFIC_INTERNAL_ONLY"',
    "modules/environment/functions.tf: ingress = each.value.ingress",
    "modules/environment/plan.tf: ingress = var.ingress",
    "modules/function/service.tf: ingress = var.ingress",
  ]);
});

it("a function's invoker is the only member of its role, and nothing else grants the role", () => {
  const onFunctions = resources(/^google_(cloud_run_v2_service|cloudfunctions)\w*_iam_/);
  expect(onFunctions).toEqual([
    {
      file: "modules/function/invoker.tf",
      type: "google_cloud_run_v2_service_iam_binding",
      fields: expect.objectContaining({ count: "var.invoker == null ? 0 : 1", role: '"roles/run.invoker"', members: "[var.invoker]" }),
    },
  ]);
  expect(lines(/"roles\/(run|cloudfunctions)\./)).toEqual([
    // On the probes' jobs, for the account that starts them.
    expect.stringMatching(
      /^modules\/environment-plan\/probe\.tf: probe_job = \{ for .*local\.probe\.caller\.email.*"roles\/run\.invoker" \} \}$/,
    ),
    'modules/function/invoker.tf: role = "roles/run.invoker"',
  ]);
});

it("in an environment, members and their roles are those of modules/environment-plan, except the readers of the console and the writer of a log sink", () => {
  const members = resources(/_iam_(member|policy|binding)$|^google_bigquery_dataset_access$/).filter(
    ({ file, type }) => file.startsWith("modules/") && !/^google_(cloud_run_v2_service|storage_bucket)_iam_binding$/.test(type),
  );
  expect(members.length).toBeGreaterThan(10);
  const others = members.filter(
    ({ fields }) =>
      !/^var\.members\b/.test(fields.for_each ?? "") ||
      fields.role !== "each.value.role" ||
      (fields.member ?? fields.user_by_email) !== (fields.member ? "each.value.member" : "each.value.email"),
  );
  expect(others).toEqual([
    {
      file: "modules/console/bucket.tf",
      type: "google_storage_bucket_iam_member",
      fields: { bucket: "google_storage_bucket.console.name", member: '"allUsers"', role: '"roles/storage.legacyObjectReader"' },
    },
    {
      file: "modules/operations/audit.tf",
      type: "google_storage_bucket_iam_member",
      fields: expect.objectContaining({ member: 'google_logging_project_sink.audit["archive"].writer_identity' }),
    },
  ]);
  const given = lines(/^\s*(members|custom_roles)\s*=/).filter((line) => line.startsWith("modules/environment/"));
  expect(given.map((line) => line.split(" = ")[1]).sort()).toEqual([
    "module.plan.custom_roles",
    // Of ci, the build, keys, landing, the warehouse, the export of Firestore, access, async and the probes.
    ...Array.from({ length: 9 }, () => "module.plan.members"),
  ]);
});

it("nobody has a role on a bucket because of a basic role but the project's owners; only the console's is public", () => {
  const buckets = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^resource "google_storage_bucket" "(\w+)"/gm)].map(([, name = ""]) => ({ file, name })),
  );
  const closed = buckets.filter(({ file }) => file !== "modules/console/bucket.tf");
  expect([buckets.length, closed.length]).toEqual([6, 5]);
  const folderOf = (file: string) => file.slice(0, file.lastIndexOf("/"));
  const bindings = resources(/^google_storage_bucket_iam_(binding|policy)$/);
  const expected = closed.map(({ file, name }) => ({
    file: `${folderOf(file)}/owners.tf`,
    type: "google_storage_bucket_iam_binding",
    fields: {
      for_each: "local.default_roles",
      bucket: `google_storage_bucket.${name}.name`,
      role: "each.value",
      members: expect.stringMatching(/^\["projectOwner:\$\{var\.project_id\}"\]$/),
    },
  }));
  const inOrder = (all: readonly { file: string; fields: Readonly<Record<string, string>> }[]) =>
    all.toSorted((a, b) => `${a.file} ${a.fields.bucket}`.localeCompare(`${b.file} ${b.fields.bucket}`));
  expect(inOrder(bindings)).toEqual(inOrder(expected));
  const roles = lines(/default_roles\s*=\s*toset/).map((line) => line.split(": ").slice(1).join(": "));
  const declared =
    /^default_roles = toset\(\[for name in \["legacyBucketOwner", "legacyBucketReader", "legacyObjectOwner", "legacyObjectReader"\] : "roles\/storage\.\$\{name\}"\]\)$/;
  expect(roles).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(declared)));
  // A member of such a role would be removed by the binding, and added again by the next apply.
  expect(lines(/roles\/storage\.legacy/)).toEqual(['modules/console/bucket.tf: role = "roles/storage.legacyObjectReader"']);
});

it("raw counts are restorable for BigQuery's shortest time, and the project's editors and viewers do not have them", () => {
  const [datasets, ...others] = resources(/^google_bigquery_dataset$/).filter(({ file }) => file.startsWith("modules/"));
  expect(others).toEqual([]);
  expect(datasets?.fields).toMatchObject({
    for_each: "local.definitions.datasets",
    max_time_travel_hours: "tostring(contains(local.raw, each.key) ? local.shortest_time_travel_hours : var.time_travel_hours)",
  });
  expect(lines(/local\.raw|^\s*raw\s*=|shortest_time_travel_hours\s*=|special_group/)).toEqual([
    'modules/warehouse/datasets.tf: raw = ["intake", "staging"]',
    "modules/warehouse/datasets.tf: shortest_time_travel_hours = 48",
    expect.stringContaining("max_time_travel_hours = "),
    'modules/warehouse/datasets.tf: for_each = contains(local.raw, each.key) ? ["projectOwners"] : []',
    "modules/warehouse/datasets.tf: special_group = access.value",
  ]);
});

it("a push and a schedule sign as the caller of the function, for the address that they call", () => {
  const all = resources(/^google_(pubsub_subscription|cloud_scheduler_job)$/).filter(({ fields }) => fields.service_account_email);
  // The nightly export calls Firestore. A probe's schedule starts a job, as an account that may start nothing else.
  const [probe, ...others] = all.filter(({ file }) => file.startsWith("modules/probe/"));
  expect([probe?.fields.service_account_email, others]).toEqual(['google_service_account.probe["caller"].email', []]);
  const signed = all.filter(({ file }) => !/^modules\/(firestore-export|probe)\//.test(file));
  expect([all.length, signed.length]).toEqual([4, 2]);
  for (const { fields } of signed)
    expect({ ...fields, address: fields.push_endpoint ?? fields.uri }).toMatchObject({
      service_account_email: "each.value.caller",
      audience: "each.value.url",
      // Followed by the topic's name, in which the functions framework finds it.
      address: expect.stringMatching(
        /^(each\.value\.url|"\$\{each\.value\.url\}\/projects\/\$\{var\.project_id\}\/topics\/\$\{each\.value\.topic\}")$/,
      ),
    });
  expect(lines(/url = module\./)).toEqual([
    "modules/environment/traffic.tf: schedules = { for name, one in module.plan.schedules : name => merge(one, { url = module.function[name].url }) }",
    "modules/environment/traffic.tf: workers = { for name, one in module.plan.workers : name => merge(one, { url = module.function[name].url }) }",
  ]);
});

it("web pages may read exports by the rule that the local Cloud Storage has, from the origins that may call the APIs", () => {
  expect(lines(/storage_cors|cors\.value|var\.cors\.origins\)/)).toEqual([
    "modules/buckets/buckets.tf: for_each = length(var.cors.origins) > 0 ? [var.cors] : []",
    "modules/buckets/buckets.tf: origin = sort(cors.value.origins)",
    "modules/buckets/buckets.tf: method = cors.value.methods",
    "modules/buckets/buckets.tf: response_header = cors.value.headers",
    "modules/buckets/buckets.tf: max_age_seconds = cors.value.max_age_seconds",
    expect.stringMatching(/^modules\/environment\/stores\.tf: storage_cors = jsondecode\(file\(.*\/infra\/storage-cors\.json"\)\)$/),
    "modules/environment/stores.tf: headers = local.storage_cors.responseHeader",
    "modules/environment/stores.tf: max_age_seconds = local.storage_cors.maxAgeSeconds",
    "modules/environment/stores.tf: methods = local.storage_cors.method",
  ]);
  expect(lines(/^\s*origins\s*= (?!set|optional)/)).toEqual(["modules/environment/stores.tf: origins = local.cors_origins"]);
  expect(lines(/cors_origins\s*= (local|setunion)/)).toEqual([
    "modules/environment/plan.tf: cors_origins = local.cors_origins",
    expect.stringMatching(
      /^modules\/environment\/plan\.tf: cors_origins = setunion\(var\.cors_origins, \["https:\/\/\$\{var\.hosts\.users\}"\]\)$/,
    ),
  ]);
});

it("a function runs as its own account, from the one image", () => {
  expect(lines(/^\s*(image|args)\s*=/)).toEqual([
    "environments/dev/main.tf: image = var.image",
    "environments/prod/main.tf: image = var.image",
    expect.stringContaining("modules/build/outputs.tf: image = "),
    ...Array.from({ length: 2 }, () => expect.stringMatching(/^modules\/environment-plan\/probe\.tf: args = /)),
    "modules/environment/functions.tf: image = var.image",
    "modules/environment/probe.tf: image = var.image",
    "modules/function/service.tf: image = var.image",
    expect.stringMatching(/^modules\/function\/service\.tf: args = .*--target=\$\{var\.name\}", "--source=\$\{var\.name\}\.cjs"\]$/),
    "modules/probe/jobs.tf: image = var.image",
    "modules/probe/jobs.tf: args = each.value.args",
  ]);
  const accounts = lines(/^\s*(account_id|service_account)\s*=/);
  expect(accounts.filter((line) => /^modules\/(environment|function)\//.test(line))).toEqual([
    "modules/environment/functions.tf: account_id = module.plan.account_ids.platform.builds",
    "modules/environment/functions.tf: account_id = each.value.account_id",
    "modules/function/account.tf: account_id = var.account_id",
    "modules/function/service.tf: service_account = google_service_account.function.email",
  ]);
});

it("a release gets no traffic by an apply", () => {
  expect(lines(/ignore_changes.*traffic/)).toEqual(["modules/function/service.tf: ignore_changes = [client, client_version, traffic]"]);
});

it("a route leads to the function that it names, and the path of the console to its bucket", () => {
  expect(lines(/^\s*endpoints\s*=/).filter((line) => line.startsWith("modules/environment/traffic.tf"))).toEqual([
    "modules/environment/traffic.tf: endpoints = { for name in module.plan.endpoints : name => module.function[name].service }",
  ]);
  const chain = lines(/^\s*(service|tag|group|default_service|backends|(endpoint|candidate)_backends)\s*=/);
  expect(chain.filter((line) => line.startsWith("modules/load-balancer/"))).toEqual([
    "modules/load-balancer/backends.tf: service = each.value",
    "modules/load-balancer/backends.tf: group = google_compute_region_network_endpoint_group.endpoint[each.key].id",
    "modules/load-balancer/candidates.tf: service = each.value",
    'modules/load-balancer/candidates.tf: tag = "candidate"',
    "modules/load-balancer/candidates.tf: group = google_compute_region_network_endpoint_group.candidate[each.key].id",
    'modules/load-balancer/candidates.tf: backends = startswith(name, "candidate-") ? local.candidate_backends : local.endpoint_backends',
    "modules/load-balancer/candidates.tf: candidate_backends = { for name, backend in google_compute_backend_service.candidate : name => backend.id }",
    "modules/load-balancer/candidates.tf: endpoint_backends = { for name, backend in google_compute_backend_service.endpoint : name => backend.id }",
    'modules/load-balancer/routes.tf: default_service = google_compute_backend_service.endpoint[var.otherwise["data"]].id',
    "modules/load-balancer/routes.tf: default_service = host.value.backends[var.otherwise[host.value.api]]",
    "modules/load-balancer/routes.tf: service = console.value.service",
    "modules/load-balancer/routes.tf: service = host.value.backends[rule.value.function]",
  ]);
  expect(lines(/console_backend/)).toEqual([
    "modules/environment/traffic.tf: console_backend = module.console.backend",
    expect.stringContaining("modules/load-balancer/routes.tf: { priority = 2, "),
    expect.stringContaining("modules/load-balancer/routes.tf: { priority = 3, "),
    'modules/load-balancer/variables.tf: variable "console_backend" {',
  ]);
});
