import * as v from "valibot";
import { exportLocationOf } from "../../../../shared/aggregation/export-manifest.ts";
import { exportPrefix, manifestName, partPrefix } from "../../../../shared/aggregation/export-path.ts";
import { warehouseJobIds } from "../../../../shared/aggregation/warehouse-job-ids.ts";
import type { Job } from "../../../../shared/jobs/jobs.ts";
import { brief, type Content } from "./memory-bucket.ts";
import { short } from "./memory-jobs.ts";
import type { Scene } from "./scene.ts";

const Manifest = v.object({
  attempt: v.number(),
  files: v.array(v.object({ name: v.string(), crc32c: v.string() })),
  data_versions: v.array(v.object({ version: v.number() })),
});

/** Checks every change of the bucket. */
export function checkObject(name: string, before: Content | undefined, scene: Scene): void {
  const job = scene.jobs.get(name.split("/")[2] ?? "");
  const now = scene.bucket.files.get(name);
  if (typeof before === "string" && now !== undefined && before !== now)
    scene.world.violate("a manifest stays", `${brief(name)}: ${before} became ${now}`);
  if (job) checkVisible(job, scene);
  else scene.world.violate("an export is a job's", brief(name));
}

/** Checks that a visible manifest's files exist with the named content, all of one data version, until the results expire. */
function checkVisible(job: Job, { world, bucket }: Scene): void {
  const content = bucket.files.get(manifestName(exportLocationOf(job)));
  if (content === undefined || (job.expireAt !== null && job.expireAt <= world.now())) return;
  const isWanted = job.status === "queued" || job.status === "running" || job.status === "completed";
  const problem = problemOf(job, content, bucket.files);
  if (problem === undefined) return;
  if (isWanted) world.violate("a visible export is complete", `${short(job.id)} is ${job.status}: ${problem}`);
  else world.count(`manifests seen without their files: job ${job.status}`);
}

function problemOf(job: Job, content: Content, files: ReadonlyMap<string, Content>): string | undefined {
  const manifest = v.parse(Manifest, JSON.parse(String(content)));
  const versions = manifest.data_versions.map(({ version }) => String(version));
  const prefix = exportPrefix(exportLocationOf(job));
  const parts = [...files.keys()].filter((name) => name.startsWith(partPrefix(exportLocationOf(job), manifest.attempt)));
  if (parts.length !== manifest.files.length) return `${manifest.files.length} files are named, ${parts.length} exist`;
  for (const { name, crc32c } of manifest.files) {
    if (String(files.get(`${prefix}${name}`)) !== crc32c) return `${name} differs from the manifest`;
    if (!versions.includes(crc32c)) return `${name} is of version ${crc32c}, the manifest of ${versions.join()}`;
  }
  return undefined;
}

/** Checks a job at the moment of its completion. */
export function checkCompleted(job: Job, scene: Scene): void {
  const problem = problemOfResults(job, scene);
  if (problem !== undefined) scene.world.violate("results are complete", `${short(job.id)}: ${problem}`);
}

function problemOfResults(job: Job, { world, warehouse, bucket }: Scene): string | undefined {
  const { summary, exported } = warehouseJobIds(job);
  const versions = [];
  for (const id of job.request.full ? [summary, exported] : [summary]) {
    const query = warehouse.jobs.get(id);
    if (query?.end !== "done" || query.endAt > world.time) return `its query ${id} is ${query?.end ?? "missing"}`;
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
  const named = JSON.stringify(job.result.files?.map(({ name, crc32c }) => ({ name, crc32c })));
  return named === JSON.stringify(files) ? undefined : `the result names ${named}, the manifest ${JSON.stringify(files)}`;
}
