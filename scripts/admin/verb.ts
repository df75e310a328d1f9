import type * as v from "valibot";
import { type CommonOptions, parseTyped } from "./options.ts";
import type { Session } from "./session.ts";
import { COMMAND, UsageError } from "./usage-error.ts";

/** The answer of a verb: `json` is the whole output with `--json`, `lines` the output without it. */
export interface Answer {
  readonly json: unknown;
  readonly lines: readonly string[];
}

interface Definition<E extends v.ObjectEntries> {
  /** The arguments after the verb, for example `UID LABEL [SCOPE…]`: brackets mean optional, `…` means one or more. */
  readonly words: string;
  /** The verb's options and further remarks, as help shows them. */
  readonly more?: string;
  readonly options: E;
  readonly run: (words: readonly string[], values: v.InferOutput<v.ObjectSchema<E, undefined>>, session: Session) => Promise<Answer>;
}

/** A verb with parsed arguments, ready to run in a session. */
interface Prepared {
  readonly common: CommonOptions;
  readonly run: (session: Session) => Promise<Answer>;
}

/** A verb as the tool sees it. */
export interface Verb {
  readonly words: string;
  readonly more?: string;
  /** The names of its options. */
  readonly options: readonly string[];
  /** Parses the arguments after its name. Throws a UsageError if they are wrong. */
  readonly prepare: (name: string, args: readonly string[]) => Prepared;
}

/** Defines a verb. Returns its texts with `prepare`. */
export function defineVerb<E extends v.ObjectEntries>({ options, run, ...texts }: Definition<E>): Verb {
  return {
    ...texts,
    options: Object.keys(options),
    prepare: (name, args) => {
      const { words, common, values } = parseTyped(args, options);
      if (!common.help) checkWords(name, texts.words, words);
      return { common, run: (session) => run(words, values, session) };
    },
  };
}

/** Throws a UsageError for too few or too many arguments. */
function checkWords(verb: string, wanted: string, given: readonly string[]): void {
  const names = wanted === "" ? [] : wanted.split(" ");
  const usage = `${COMMAND} ${[verb, ...names].join(" ")}`;
  const missing = names.filter((name) => !name.startsWith("[")).at(given.length);
  if (missing !== undefined) throw new UsageError(`${missing} is missing; usage: ${usage}`);
  const extra = given[names.length];
  if (extra !== undefined && !names.some((name) => name.includes("…")))
    throw new UsageError(`Unexpected argument ${JSON.stringify(extra)}; usage: ${usage}`);
}
