import { execFileSync } from "node:child_process";
import { verbs } from "../admin/catalogue.ts";
import { helpOf } from "../admin/help.ts";
import { COMMON_HELP } from "../admin/options.ts";
import { USAGE as CHAOS_USAGE } from "../chaos/options.ts";
import { USAGE as CLIENTS_USAGE } from "../clients/options.ts";
import { USAGE as FUZZ_USAGE } from "../fuzz/options.ts";
import { USAGE as IMPORT_USAGE } from "../import/arguments.ts";
import { USAGE as PRIVACY_USAGE } from "../privacy/options.ts";
import { USAGE as SIMULATE_USAGE } from "../simulate/options.ts";
import {
  BENCH_USAGE,
  BUNDLE_USAGE,
  CHECK_USAGE,
  CONSOLE_TEST_USAGE,
  DEMO_USAGE,
  FORMAT_USAGE,
  GENERATE_USAGE,
  LOCK_FILE_USAGE,
  MIGRATE_USAGE,
  REHEARSE_USAGE,
  RELEASE_USAGE,
  SAMPLE_MAP_USAGE,
  SCREENSHOTS_USAGE,
  SMOKE_USAGE,
  START_USAGE,
  TERRAFORM_TEST_USAGE,
  TEST_USAGE,
} from "../usage.ts";
import { ROOT } from "./pages.ts";

/** Returns the help of each command that has one, by the command as README pages name it. */
export async function helpTexts(): Promise<Readonly<Record<string, string>>> {
  return {
    "./scripts/start": START_USAGE,
    "./scripts/demo": DEMO_USAGE,
    "./scripts/test": TEST_USAGE,
    "./scripts/bootstrap": shellHelp("bootstrap"),
    "./scripts/deploy": shellHelp("deploy"),
    "npm run admin": `${helpOf()}\n${await verbHelp()}\nOptions of every verb:\n\n${COMMON_HELP}`,
    "npm run import": IMPORT_USAGE,
    "npm run check": CHECK_USAGE,
    "npm run format": FORMAT_USAGE,
    "npm run generate": GENERATE_USAGE,
    "npm run sample-map": SAMPLE_MAP_USAGE,
    "npm run bundle": BUNDLE_USAGE,
    "npm run screenshots": SCREENSHOTS_USAGE,
    "npm run console-test": CONSOLE_TEST_USAGE,
    "npm run lock-file": LOCK_FILE_USAGE,
    "npm run migrate": MIGRATE_USAGE,
    "npm run release": RELEASE_USAGE,
    "npm run rehearse": REHEARSE_USAGE,
    "npm run smoke": SMOKE_USAGE,
    "npm run terraform-test": TERRAFORM_TEST_USAGE,
    "npm run privacy": PRIVACY_USAGE,
    "npm run simulate": SIMULATE_USAGE,
    "npm run chaos": CHAOS_USAGE,
    "npm run fuzz": FUZZ_USAGE,
    "npm run clients": CLIENTS_USAGE,
    "npm run bench": BENCH_USAGE,
  };
}

/** Returns the arguments and own options of the verbs that have any. */
async function verbHelp(): Promise<string> {
  const loaded = await Promise.all(Object.entries(verbs).map(async ([name, { load }]) => ({ name, verb: (await load()).default })));
  const texts = loaded
    .filter(({ verb }) => verb.words !== "" || verb.more !== undefined)
    .map(({ name, verb: { words, more = "" } }) => `${name} ${words}`.trim().concat(more === "" ? "" : `\n${more.trimEnd()}`));
  return `${texts.join("\n\n")}\n`;
}

function shellHelp(name: string): string {
  return execFileSync("bash", [`${ROOT}scripts/${name}`, "--help"], { encoding: "utf8" });
}

/** Returns a help text as a block of a page. */
export function fencedHelp(help: string): string {
  return `\`\`\`text\n${help.trimEnd()}\n\`\`\``;
}
