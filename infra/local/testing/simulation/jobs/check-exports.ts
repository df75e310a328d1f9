import * as v from "valibot";
import { warehouseJobIds } from "../../../../../shared/aggregation/clean-up.ts";
import { exportLocationOf } from "../../../../../shared/aggregation/export-manifest.ts";
import { exportPrefix, manifestName, partPrefix } from "../../../../../shared/aggregation/export-path.ts";
import type { Job } from "../../../../../shared/jobs/jobs.ts";
import { brief, type Content } from "./memory-bucket.ts";
import { short } from "./memory-jobs.ts";
import type { Scene } from "./scene.ts";

const Manifest = v.object({
  attempt: v.number(),
  files: v.array(v.object({ name: v.string(), crc32c: v.string() })),
  data_versions: v.array(v.object({ version: v.number() })),
});

/** What must hold of every change of the bucket. */
export function checkObject(name: string, before: Content | undefined, scene: Scene): void {
  const job = scene.jobs.get(name.split("/")[2] ?? "");
  const now = scene.bucket.files.get(name);
  if (typeof before === "string" && now !== undefined && before !== now)
    scene.world.violate("a manifest stays", `${brief(name)}: ${before} became ${now}`);
  if (job) checkVisible(job, scene);
  else scene.world.violate("an export is a job's", brief(name));
}

/** Who sees a manifest sees all that it names, with that content, and all of one version of the data, until the results expire. */
function checkVisible(job: Job, { world, bucket }: Scene): void {
  const content = bucket.files.get(manifestName(exportLocationOf(job)));
  if (content === undefined || (job.expireAt !== null && job.expireAt <= world.now())) return;
  const isWanted = job.status === "queued" || job.status === "running" || job.status === "completed";
  const fault = faultOf(job, content, bucket.files);
  if (fault === undefined) return;
  if (isWanted) world.violate("an export that is seen is whole", `${short(job.id)} is ${job.status}: ${fault}`);
  else world.count(`manifests seen without their files: job ${job.status}`);
}

function faultOf(job: Job, content: Content, files: ReadonlyMap<string, Content>): string | undefined {
  const manifest = v.parse(Manifest, JSON.parse(String(content)));
  const versions = manifest.data_versions.map(({ version }) => String(version));
  const prefix = exportPrefix(exportLocationOf(job));
  const parts = [...files.keys()].filter((name) => name.startsWith(partPrefix(exportLocationOf(job), manifest.attempt)));
  if (parts.length !== manifest.files.length) return `${manifest.files.length} files are named, ${parts.length} are there`;
  for (const { name, crc32c } of manifest.files) {
    if (String(files.get(`${prefix}${name}`)) !== crc32c) return `${name} is not what is named`;
    if (!versions.includes(crc32c)) return `${name} is of version ${crc32c}, the manifest of ${versions.join()}`;
  }
  return undefined;
}

/** What must hold of a job at the moment at which it is completed. */
export function checkCompleted(job: Job, scene: Scene): void {
  const fault = faultOfResults(job, scene);
  if (fault !== undefined) scene.world.violate("results are whole", `${short(job.id)}: ${fault}`);
}

function faultOfResults(job: Job, { world, warehouse, bucket }: Scene): string | undefined {
  const { summary, exported, ledger } = warehouseJobIds(job);
  const versions = [];
  for (const id of job.request.full ? [summary, exported, ledger] : [summary]) {
    const query = warehouse.jobs.get(id);
    if (query?.end !== "done" || query.endAt > world.time) return `its query ${id} is ${query?.end ?? "not there"}`;
    versions.push(query.version);
  }
  if (!job.result) return "there are none";
  versions.push(...job.result.dataVersions.map(({ version }) => version));
  if (new Set(versions).size !== 1) return `they are of the versions ${versions.join()}`;
  if (!job.request.full) return undefined;
  const content = bucket.files.get(manifestName(exportLocationOf(job)));
  if (content === undefined) return "there is no manifest";
  const { files, attempt } = v.parse(Manifest, JSON.parse(String(content)));
  if (attempt !== job.attempt) return `the manifest is of attempt ${attempt}`;
  const told = JSON.stringify(job.result.files?.map(({ name, crc32c }) => ({ name, crc32c })));
  return told === JSON.stringify(files) ? undefined : `it tells of ${told}, the manifest of ${JSON.stringify(files)}`;
}
