import type * as v from "valibot";
import { type CommonOptions, parseTyped } from "./options.ts";
import type { Session } from "./session.ts";
import { COMMAND, UsageError } from "./usage-error.ts";

/** What a verb has to say: `json` is the whole of the output with `--json`, `lines` are for people. */
export interface Answer {
  readonly json: unknown;
  readonly lines: readonly string[];
}

interface Definition<E extends v.ObjectEntries> {
  /** The words behind the verb, for example `UID LABEL [SCOPE…]`: those in brackets may be left out, `…` stands for one or more. */
  readonly words: string;
  /** Its own options and what else is to be said, as help shows it. */
  readonly more?: string;
  readonly options: E;
  readonly run: (words: readonly string[], values: v.InferOutput<v.ObjectSchema<E, undefined>>, session: Session) => Promise<Answer>;
}

/** A verb with its arguments, ready to be run in a session. */
interface Prepared {
  readonly common: CommonOptions;
  readonly run: (session: Session) => Promise<Answer>;
}

/** A verb as the tool sees it. */
export interface Verb {
  readonly words: string;
  readonly more?: string;
  /** The names of its own options. */
  readonly options: readonly string[];
  /** Parses the arguments behind its name. Throws a UsageError for what is wrong with them. */
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

/** Throws a UsageError when there are too few or too many words. */
function checkWords(verb: string, wanted: string, given: readonly string[]): void {
  const names = wanted === "" ? [] : wanted.split(" ");
  const usage = `${COMMAND} ${[verb, ...names].join(" ")}`;
  const missing = names.filter((name) => !name.startsWith("[")).at(given.length);
  if (missing !== undefined) throw new UsageError(`${missing} is missing; it is ${usage}`);
  const extra = given[names.length];
  if (extra !== undefined && !names.some((name) => name.includes("…")))
    throw new UsageError(`${JSON.stringify(extra)} is too much; it is ${usage}`);
}
