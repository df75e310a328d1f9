import type { ParseArgsOptionsConfig } from "node:util";
import * as v from "valibot";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { parseInstant } from "../../shared/runtime/time.ts";
import { parseCommandLine } from "../command-line.ts";
import { UsageError } from "./usage-error.ts";

/** The kinds of options: a flag, one text, any number of texts. Other kinds pipe these. */
export const flag = v.optional(v.boolean(), false);
export const text = v.optional(v.string());
export const texts = v.optional(v.array(v.string()), []);

const Count = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "must be a whole number of at least 1"), v.transform(Number));

/** A positive whole number. */
export const count = v.optional(Count);

/** A whole number from 1 to `most`; `why` explains the maximum in the error. */
export function countTo(most: number, why: string) {
  return v.optional(v.pipe(Count, v.maxValue(most, `must be at most ${most} (${why})`)));
}

/**
 * Parses the time that an option gives: ISO 8601 with an offset or `Z`, also as the tables print it (`2026-11-21 12:00Z`); a bare date is midnight
 * UTC. Throws a UsageError, also for a time without an offset, which would be another one in each operator's time zone.
 */
export function instant(option: string, given: string): Date {
  const time = parseInstant(given.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, "$1T"));
  if (time) return time;
  throw new UsageError(`${option} ${JSON.stringify(given)} is not a time with an offset or Z; example: 2026-11-21T12:00:00Z`);
}

/** The options of every verb. */
const COMMON_OPTIONS = {
  help: flag,
  json: flag,
  operator: text,
  state: text,
  project: text,
  environment: v.optional(v.picklist(["dev", "prod"], "must be dev or prod")),
  database: text,
  "export-bucket": text,
  "accounts-project": text,
  "customers-file": text,
  countries: text,
};

export const COMMON_HELP = `  --json               prints one JSON document instead of tables
  --operator NAME      your name in the audit (default: your user on this machine)
  --state DIR          the folder of the running local service (default: .local)
  --project P          uses this cloud project instead, with your own credentials (gcloud auth application-default login)
  --environment E      the project's environment, dev or prod: required with --project, part of the stored hash of a key
  --database D         the project's Firestore database that the functions use (default: (default)); required while there is another one
  --export-bucket B    the project's export bucket (default: P-exports)
  --accounts-project P the project of the customers' service accounts, or several, comma separated (default: that of --project)
  --customers-file F   Terraform's variable file of customers (default: terraform/customers/customers.auto.tfvars.json)
  --countries FILE     the country rules (default: those of the running service, else infra/countries.json)
  --help               shows this help
`;

export type CommonOptions = v.InferOutput<v.ObjectSchema<typeof COMMON_OPTIONS, undefined>>;

/** The parsed arguments of a verb. */
export interface Typed<E extends v.ObjectEntries> {
  readonly words: readonly string[];
  readonly common: CommonOptions;
  readonly values: v.InferOutput<v.ObjectSchema<E, undefined>>;
}

/** Parses the arguments of a verb. Throws a UsageError for an unknown option or an invalid value. */
export function parseTyped<E extends v.ObjectEntries>(args: readonly string[], own: E): Typed<E> {
  const { positionals, values } = parse(args, { ...COMMON_OPTIONS, ...own });
  return { words: positionals, common: checked(v.object(COMMON_OPTIONS), values), values: checked(v.object(own), values) };
}

function parse(args: readonly string[], entries: v.ObjectEntries) {
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(entries).map(([name, schema]) => [
      name,
      v.is(schema, true) ? { type: "boolean", ...(name === "help" ? { short: "h" } : {}) } : { type: "string", multiple: v.is(schema, []) },
    ]),
  );
  try {
    return parseCommandLine({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function checked<S extends v.GenericSchema>(schema: S, values: object): v.InferOutput<S> {
  const parsed = v.safeParse(schema, values);
  if (parsed.success) return parsed.output;
  throw new UsageError(
    parsed.issues.map((issue) => `--${issue.path?.[0]?.key} ${issue.message}, not ${JSON.stringify(issue.input)}`).join("\n"),
  );
}
