import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Check, CheckContext, Client } from "../client.ts";
import { type ExportedJob, exportedJob } from "../exported-job.ts";
import { snippetChecks } from "../snippets.ts";
import { command } from "../tools/command.ts";
import { mustRun, type ProgramResult, runProgram } from "../tools/run-program.ts";
import { storageVariables } from "../variables.ts";

const GCLOUD = "gcloud";
const GSUTIL = "gsutil";

/** Settings that a page sets itself, and a folder of its own for those that gcloud keeps. */
function base({ folder }: CheckContext) {
  return { HOME: folder, CLOUDSDK_CONFIG: join(folder, "config"), CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: "1" };
}

/** Runs commands as the page has them: with the variables that its first lines export. */
async function shell(context: CheckContext, text: string): Promise<ProgramResult> {
  const job = await exportedJob(context, "csv");
  const environment = { ...base(context), ...storageVariables(context, job) };
  return runProgram("bash", ["-euo", "pipefail", "-c", `${SETTINGS}\n${text}`], { folder: context.folder, environment });
}

const SETTINGS = `printf %s "$TOKEN" >token
export CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=$PWD/token CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE=$STORAGE/storage/v1/
export CLOUDSDK_CORE_DISABLE_PROMPTS=1 CLOUDSDK_CORE_ACCOUNT=customer
mine=gs://$BUCKET/results/$USER_ID other=gs://$BUCKET/results/$OTHER_USER_ID`;

async function works(context: CheckContext, text: string): Promise<string> {
  const { exitCode, stdout, stderr } = await shell(context, text);
  assert.equal(exitCode, 0, `${text}\n${stdout}${stderr}`);
  return stdout;
}

async function isRefused(context: CheckContext, words: RegExp, text: string): Promise<void> {
  const { exitCode, stdout, stderr } = await shell(context, text);
  assert.notEqual(exitCode, 0, `${text} succeeded`);
  assert.match(`${stdout}${stderr}`, words, `${text}\n${stdout}${stderr}`);
}

/** The files below a folder, as paths from it. */
function filesIn(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.filter((path) => statSync(join(folder, path)).isFile()).sort();
}

function filesOf({ files }: ExportedJob): string[] {
  return [...files].sort();
}

const DENIED = /does not have (permission|storage\.objects\.(get|list) access)/;

const checks: readonly Check[] = [
  {
    name: "ls, du",
    quick: false,
    run: async (context) => {
      const job = await exportedJob(context, "csv");
      const folder = `gs://${context.ready.export_bucket}/results/${context.customer.uid}/${job.id}/`;
      const all = await works(context, 'gcloud storage ls "$mine/**"');
      for (const file of job.files) assert.ok(all.includes(`${folder}${file}\n`), all);
      assert.ok((await works(context, 'gcloud storage ls "$mine/*"')).includes(`${folder}odm_daily_trips/\n`));
      for (const path of ["$mine/$ID", "$mine/$ID/"])
        assert.equal(await works(context, `gcloud storage ls "${path}"`), `${folder}odm_daily_trips/\n`);
      assert.match(await works(context, 'gcloud storage du "$mine/**"'), /^\d+ +gs:.*\/manifest\.json$/m);
      assert.match(await works(context, 'gcloud storage du --summarize "$mine/$ID"'), /^\d+ +gs:/m);
    },
  },
  {
    name: "cp, rsync",
    quick: false,
    run: async (context) => {
      const job = await exportedJob(context, "csv");
      for (const name of ["copied", "all", "one", "synced"]) mkdirSync(join(context.folder, name));
      await works(context, 'gcloud storage cp -r "$mine/$ID" copied');
      assert.deepEqual(filesIn(join(context.folder, "copied", job.id)), filesOf(job));
      await works(context, 'gcloud storage cp -r "$mine/*" all');
      assert.deepEqual(filesIn(join(context.folder, "all", job.id)), filesOf(job));
      await works(context, 'gcloud storage cp "$mine/$ID/odm_daily_trips/*.csv.gz" one && gzip -t one/*');
      assert.deepEqual(filesIn(join(context.folder, "one")), ["part-1-000000000000.csv.gz"]);
      await works(context, 'gcloud storage rsync -r "$mine/$ID" synced');
      assert.deepEqual(filesIn(join(context.folder, "synced")), filesOf(job));
    },
  },
  {
    // gcloud lists `results/UID` for these, without the slash: that prefix is also the beginning of longer uids.
    name: "the own folder as a whole, others' folders and changes are refused",
    quick: false,
    run: async (context) => {
      await exportedJob(context, "csv");
      mkdirSync(join(context.folder, "whole"));
      for (const text of ['ls "$mine/"', 'ls "$mine"', 'rsync -r "$mine" whole', 'cp -r "$mine" whole', 'ls "$other/**"'])
        await isRefused(context, DENIED, `gcloud storage ${text}`);
      assert.deepEqual(filesIn(join(context.folder, "whole")), []);
      await isRefused(context, /not authorized/, 'gcloud storage rm "$mine/$ID/odm_daily_trips/manifest.json"');
      await isRefused(context, /not authorized/, 'gcloud storage cp token "$mine/token"');
    },
  },
];

/** Runs the commands of a page, which set their own variables. */
async function snippet(text: string, context: CheckContext): Promise<string> {
  const job = await exportedJob(context, "csv");
  const environment = { ...base(context), ...storageVariables(context, job) };
  return (await mustRun("bash", ["-euo", "pipefail", "-c", text], { folder: context.folder, environment })).stdout;
}

/** The command `gcloud storage` of the Google Cloud SDK. */
export const gcloudStorage: Client = {
  name: GCLOUD,
  tool: command(GCLOUD, ["--version"]),
  checks: [...checks, ...snippetChecks(GCLOUD, ({ text }, context) => snippet(text, context))],
};

/** The command `gsutil` of the Google Cloud SDK. It takes no token itself, so it is told to run `gcloud storage`. */
export const gsutil: Client = {
  name: GSUTIL,
  tool: command(GSUTIL, ["version"]),
  checks: [
    {
      name: "others' folders are refused",
      quick: false,
      run: (context) => isRefused(context, DENIED, 'gsutil -o GSUtil:use_gcloud_storage=True ls "$other/**"'),
    },
    ...snippetChecks(GSUTIL, ({ text }, context) => snippet(text, context)),
  ],
};
