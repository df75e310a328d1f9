import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { closestName } from "../shared/http/closest-name.ts";
import { messageOf } from "../shared/runtime/error-message.ts";

/** npm has options of these names, too. A user's `.npmrc` may set them, so they say nothing about the command line. */
const NPM_OWN = new Set(["help", "json", "location", "only", "scope", "yes"]);

/**
 * Parses a command line like `parseArgs`. Throws an Error with a line that says what is wrong and what would be right: the option that was
 * probably meant, or all of them.
 */
export function parseCommandLine<
  const T extends ParseArgsConfig & { readonly args: readonly string[]; readonly options: ParseArgsOptionsConfig },
>(config: T): ReturnType<typeof parseArgs<T>> {
  const names = Object.keys(config.options);
  assertNotTakenByNpm(names, process.env);
  try {
    return parseArgs(config);
  } catch (error) {
    throw new Error(describe(error, config.args, names));
  }
}

/**
 * Throws an Error if npm has taken an option of the command for its own, as it does without `--`: the command would run without it.
 * @param environment npm passes its options to scripts as `npm_config_NAME`
 */
export function assertNotTakenByNpm(names: readonly string[], environment: Readonly<Record<string, string | undefined>>): void {
  const { npm_lifecycle_event: command } = environment;
  if (command === undefined) return;
  const taken = names.filter((name) => !NPM_OWN.has(name) && environment[`npm_config_${name.replaceAll("-", "_")}`] !== undefined);
  if (taken.length === 0) return;
  const options = taken.map((name) => `--${name}`).join(", ");
  throw new Error(`npm took ${options} as its own: options follow --, as in npm run ${command} -- --${taken[0]} …`);
}

function describe(error: unknown, args: readonly string[], names: readonly string[]): string {
  const message = messageOf(error);
  const [, unknown] = /^Unknown option '([^']+)'/.exec(message) ?? [];
  if (unknown !== undefined) return describeUnknown(typedAs(unknown, args), names);
  const [, unwanted] = /^Unexpected argument '([^']*)'/.exec(message) ?? [];
  if (unwanted !== undefined) return `Unexpected argument ${JSON.stringify(unwanted)}; ${listed(names)}`;
  const [, lacking] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:missing|is ambiguous)/.exec(message) ?? [];
  if (lacking !== undefined) return `${lacking} needs a value; one that begins with a dash is written ${lacking}=VALUE`;
  const [, flag] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' does not take an argument/.exec(message) ?? [];
  return flag === undefined ? message : `${flag} takes no value`;
}

/** `-port` is read as `-p`, `-o` and so on. Returns what the user typed. */
function typedAs(option: string, args: readonly string[]): string {
  if (option.startsWith("--")) return option;
  return args.find((argument) => argument.startsWith(option) || (/^-\w/.test(argument) && argument.includes(option.slice(1)))) ?? option;
}

function describeUnknown(option: string, names: readonly string[]): string {
  // With their dashes, so that short names with two letters swapped are near enough.
  const meant = closestName(
    option.replace(/^-*/, "--").replace(/=.*$/, ""),
    names.map((name) => `--${name}`),
  );
  return `Unknown option '${option}'; ${meant === undefined ? listed(names) : `did you mean ${meant}?`}`;
}

function listed(names: readonly string[]): string {
  return `options: ${names.map((name) => `--${name}`).join(", ")}`;
}
