import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import * as v from "valibot";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { parseCommandLine } from "../command-line.ts";
import {
  areEqual,
  followsLatest,
  functionServices,
  isEndpoint,
  Revisions,
  revisionsOf,
  type Service,
  Services,
  type Shares,
  sharesOf,
  sharesWith,
} from "./traffic-rules.ts";

/**
 * Moves the traffic of the functions' services with gcloud, for `scripts/deploy`. Each verb reads what is so now and changes only what differs,
 * so that it can be repeated after a crash. All take `--project` and `--region`.
 *
 * - `hold --before FILE`: writes the shares of all services; each keeps the revisions that it serves; the next one gets nothing.
 * - `tag`: the newest revision of each endpoint answers under the tag `candidate`.
 * - `share --percent N`: the newest revision of each endpoint gets N percent.
 * - `switch`: the newest revision of each worker and schedule gets everything.
 * - `errors --since TIME`: exits with 1 if a newest revision of an endpoint has answered with 5xx since.
 * - `back --commit C`: the revisions of a commit get everything, of endpoints, workers and schedules.
 * - `undo --before FILE`: the shares that `hold --before FILE` wrote.
 */
/** How many services change at a time: each is a call of gcloud, which takes a second of a processor. */
const AT_ONCE = 4;

const run = promisify(execFile);
const Verb = v.picklist(["hold", "tag", "share", "switch", "back", "undo", "errors"]);

interface Place {
  readonly project: string;
  readonly region: string;
}

async function gcloud({ project, region }: Place, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run("gcloud", [...args, `--project=${project}`, `--region=${region}`], { maxBuffer: 1e8 });
  return stdout;
}

async function listed<T>(place: Place, schema: v.GenericSchema<unknown, T>, ...args: readonly string[]): Promise<T> {
  return v.parse(v.pipe(v.string(), v.parseJson(), schema), (await gcloud(place, ...args, "--format=json")) || "[]");
}

async function services(place: Place): Promise<Service[]> {
  return functionServices(await listed(place, Services, "run", "services", "list"));
}

/** Changes services, each independently: one that fails must not keep others from going back. Throws an error that names those that failed. */
async function change(place: Place, all: readonly Service[], argument: (service: Service) => string | undefined): Promise<void> {
  const changes = all.flatMap((service) => {
    const wanted = argument(service);
    return wanted === undefined ? [] : [[service.metadata.name, wanted] as const];
  });
  const failures: string[] = [];
  const changeOne = async (name: string, wanted: string): Promise<void> => {
    try {
      await gcloud(place, "run", "services", "update-traffic", name, wanted, "--quiet");
    } catch (error) {
      failures.push(`${name}: ${messageOf(error)}`);
    }
  };
  for (let first = 0; first < changes.length; first += AT_ONCE)
    await Promise.all(changes.slice(first, first + AT_ONCE).map(([name, wanted]) => changeOne(name, wanted)));
  if (failures.length > 0) throw new Error(`${failures.length} of ${changes.length} services were not changed:\n${failures.join("\n")}`);
  console.log(changes.length === 0 ? "Nothing to change" : `Changed ${changes.length} of ${all.length} services`);
}

/** Returns the argument that gives a service these shares; undefined if it has them, by name. */
function toRevisions(service: Service, shares: Shares): string | undefined {
  if (areEqual(sharesOf(service), shares) && !followsLatest(service)) return undefined;
  return `--to-revisions=${[...shares].map(([name, percent]) => `${name}=${percent}`).join(",")}`;
}

async function hold(place: Place, file: string): Promise<void> {
  const all = await services(place);
  writeFileSync(file, JSON.stringify(Object.fromEntries(all.map((one) => [one.metadata.name, Object.fromEntries(sharesOf(one))]))));
  await change(place, all, (service) => (sharesOf(service).size === 0 ? undefined : toRevisions(service, sharesOf(service))));
}

async function undo(place: Place, file: string): Promise<void> {
  const Held = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.record(v.string(), v.number())));
  const held = new Map(Object.entries(v.parse(Held, readFileSync(file, "utf8"))));
  await change(place, await services(place), (service) => {
    const shares = new Map(Object.entries(held.get(service.metadata.name) ?? {}));
    return shares.size === 0 ? undefined : toRevisions(service, shares);
  });
}

async function back(place: Place, commit: string): Promise<void> {
  const all = await services(place);
  const found = revisionsOf(
    await listed(place, Revisions, "run", "revisions", "list", `--filter=metadata.labels.commit=${commit}`),
    commit,
  );
  const missing = all.filter(({ metadata }) => !found.has(metadata.name)).map(({ metadata }) => metadata.name);
  if (missing.length === all.length)
    throw new Error(`No service has a revision of ${commit}: it was never deployed here, or its revisions are gone`);
  if (missing.length > 0) console.log(`Not in that commit, so left as they are: ${missing.join(", ")}`);
  await change(place, all, (service) => {
    const revision = found.get(service.metadata.name);
    return revision === undefined ? undefined : toRevisions(service, new Map([[revision, 100]]));
  });
}

/** Throws if the newest revision of an endpoint has answered a request with 5xx since a time. Cloud Run logs each request. */
async function assertNoErrors({ project }: Place, endpoints: readonly Service[], since: string): Promise<void> {
  const Entries = v.array(v.object({ resource: v.object({ labels: v.object({ service_name: v.string() }) }) }));
  const revisions = endpoints.map(({ status }) => `"${status.latestReadyRevisionName}"`).join(" OR ");
  const filter = `resource.type="cloud_run_revision" AND httpRequest.status>=500 AND timestamp>="${since}" AND resource.labels.revision_name=(${revisions})`;
  const { stdout } = await run("gcloud", ["logging", "read", filter, "--limit=100", "--format=json", `--project=${project}`]);
  const found = v.parse(v.pipe(v.string(), v.parseJson(), Entries), stdout || "[]").map(({ resource }) => resource.labels.service_name);
  const counts = [...new Set(found)].sort().map((name) => `${name} ${found.filter((one) => one === name).length}`);
  if (counts.length > 0) throw new Error(`Answers with 5xx of the new revisions: ${counts.join(", ")}`);
  console.log("No answer with 5xx");
}

/** Throws unless the newest revision of each service is ready: one that is not would leave the service as it was, in silence. */
function assertReady(all: readonly Service[]): void {
  const waiting = all.filter(({ status }) => status.latestCreatedRevisionName !== status.latestReadyRevisionName);
  if (waiting.length > 0) throw new Error(`Not ready: ${waiting.map(({ status }) => status.latestCreatedRevisionName).join(", ")}`);
}

async function main(): Promise<void> {
  const options = {
    project: { type: "string" },
    region: { type: "string" },
    percent: { type: "string" },
    commit: { type: "string" },
    before: { type: "string" },
    since: { type: "string" },
  } as const;
  const { values, positionals } = parseCommandLine({ args: process.argv.slice(2), options, allowPositionals: true });
  const { project, region, percent, commit, before, since } = values;
  const verb = v.parse(Verb, positionals[0]);
  if (project === undefined || region === undefined) throw new Error("--project and --region are required");
  const place = { project, region };
  if (verb === "back") return back(place, v.parse(v.string("back takes --commit"), commit));
  if (verb === "hold") return hold(place, v.parse(v.string("hold takes --before"), before));
  if (verb === "undo") return undo(place, v.parse(v.string("undo takes --before"), before));
  const all = await services(place);
  assertReady(all);
  const endpoints = all.filter(isEndpoint);
  if (verb === "errors")
    return assertNoErrors(place, endpoints, v.parse(v.pipe(v.string("errors takes --since"), v.isoTimestamp()), since));
  if (verb === "tag") return change(place, endpoints, ({ status }) => `--update-tags=candidate=${status.latestReadyRevisionName}`);
  if (verb === "switch") {
    const others = all.filter((service) => !isEndpoint(service));
    return change(place, others, (service) => toRevisions(service, sharesWith(service, 100)));
  }
  const share = Number(v.parse(v.pipe(v.string("share takes --percent"), v.regex(/^(100|[1-9]\d?)$/, "--percent is 1 to 100")), percent));
  return change(place, endpoints, (service) => toRevisions(service, sharesWith(service, share)));
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
