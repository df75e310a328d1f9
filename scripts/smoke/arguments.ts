import { readFileSync } from "node:fs";
import * as v from "valibot";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { parseCommandLine } from "../command-line.ts";
import type { Bases } from "./probes.ts";

const Urls = v.object({ users: v.string(), data: v.string() });
const Outputs = v.object({ base_urls: Urls, candidate_base_urls: v.nullish(Urls) });

/** What to test. */
export interface Wanted {
  readonly bases: Bases;
  /** The key of the environment variable `SMOKE_KEY`. */
  readonly key: string | undefined;
  readonly patienceMs: number;
  readonly isJourney: boolean;
  readonly objects: string | undefined;
}

/** Returns what to test, "help", or what is wrong with the arguments or the key. What is wrong never holds the key. */
export function readArguments(args: readonly string[], given: string | undefined): Wanted | "help" | { readonly wrong: string } {
  try {
    const values = parseOptions(args);
    if (values.help) return "help";
    const { patience = "0", journey = false, objects } = values;
    const bases = basesOf(values);
    if (!/^\d+$/.test(patience)) return { wrong: `--patience ${patience} is not a number of seconds` };
    const key = given || undefined;
    // A request with such a header would fail with an error that shows the key.
    if (key !== undefined && !/^[!-~]+$/.test(key))
      return { wrong: "SMOKE_KEY is no key: it has a blank, a line break or another character that no key has" };
    if (journey && key === undefined) return { wrong: "--journey needs the key SMOKE_KEY" };
    if (objects !== undefined && !journey) return { wrong: "--objects requires --journey" };
    return { isJourney: journey, objects, key, bases, patienceMs: 1000 * Number(patience) };
  } catch (error) {
    return { wrong: messageOf(error) };
  }
}

function parseOptions(args: readonly string[]) {
  const options = {
    users: { type: "string" },
    data: { type: "string" },
    outputs: { type: "string" },
    candidate: { type: "boolean" },
    journey: { type: "boolean" },
    objects: { type: "string" },
    patience: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  return parseCommandLine({ args: [...args], options }).values;
}

/** Returns the base URLs that the options name. Throws an Error that says what is wrong with them. */
function basesOf({ users, data, outputs, candidate = false }: ReturnType<typeof parseOptions>): Bases {
  if (outputs !== undefined) {
    if (users !== undefined || data !== undefined) throw new Error("--outputs has both base URLs: omit --users and --data");
    return urlsIn(outputs, candidate);
  }
  if (candidate) throw new Error("--candidate requires --outputs");
  if (users === undefined || data === undefined) throw new Error("The base URLs of both APIs are required");
  return { users: bare("--users", users), data: bare("--data", data) };
}

function urlsIn(file: string, candidate: boolean): Bases {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Outputs), readFileSync(file, "utf8"));
  if (!parsed.success) throw new Error(`--outputs ${file} is not what terraform output -json environment prints`);
  const urls = candidate ? parsed.output.candidate_base_urls : parsed.output.base_urls;
  if (!urls) throw new Error(`${file} has no candidate_base_urls: set candidate_hosts`);
  return { users: bare(file, urls.users), data: bare(file, urls.data) };
}

function bare(where: string, url: string): string {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new Error(`${where}: ${JSON.stringify(url)} is no URL of HTTP, such as https://users.example.com`);
  return parsed.href.replace(/\/+$/, "");
}
