import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { functionEntries } from "../bundle/functions.ts";

/** What a function's tree-shaken code does. */
export interface Needs {
  /** The `open…` functions of `shared` that it calls, which connect to Google Cloud. */
  readonly opens: ReadonlySet<string>;
  /** The warehouse tables (`dataset.table`) that its statements use, and those that they write; empty for a function that sends none. */
  readonly names: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  readonly startsJobs: boolean;
  /** Whether somebody waits for its queries: they may have a reservation of their own. */
  readonly queriesInteractively: boolean;
  readonly stopsJobs: boolean;
}

const TABLE = /(?<=[`"])(?:intake|staging|mobility|realtime|realtime_customers|realtime_eu)\.(?:\w+|\$\{)/g;
const WRITE =
  /\b(?:INSERT INTO|DELETE FROM|MERGE|UPDATE)\s+\\?`((?:intake|staging|mobility|realtime|realtime_customers|realtime_eu)\.\w+|\$\{)/g;
const ALONE = /"((?:intake|staging|mobility|realtime|realtime_customers|realtime_eu)\.\w+)"/g;

/** How an opener connects: to Firestore to write, to read, or to the database `usage`; anything else with a client of its own. */
export type Connection = "store" | "reader" | "usage" | "client";
/** By what the opener itself calls. */
const DATABASE: readonly (readonly [Connection, RegExp])[] = [
  ["store", /\bfirestore\(/],
  ["reader", /\bfirestoreReader\(/],
  ["usage", /\busageFirestore\(/],
];
/** By its whole file. */
const CLIENT = /\b(?:bigqueryClient|repeatingStorage)\(|from "@google-cloud\/(?!firestore")/;

/** The exported `open…` functions of `shared` that connect to Google Cloud, by name. */
export function openers(root: string): Map<string, Connection> {
  const sources = readdirSync(join(root, "shared"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(path))
    .map((path) => readFileSync(join(root, "shared", path), "utf8"));
  return new Map(
    sources.flatMap((source) => {
      const isClient = CLIENT.test(source);
      return [...source.matchAll(/^export (?:async )?function (open\w+).*?^}/gms)].flatMap(([body, name = ""]) => {
        const [database] = DATABASE.find(([, call]) => call.test(body)) ?? [];
        const connection = database ?? (isClient ? "client" : undefined);
        return connection ? [[name, connection] as const] : [];
      });
    }),
  );
}

/** Returns what each function of `functions.json` needs, by name. `root` is the project's folder. */
export async function functionNeeds(root: string): Promise<Map<string, Needs>> {
  const known = openers(root);
  const code = await ownCode(root);
  return new Map([...code].map(([name, text]) => [name, needsOf(text, known)]));
}

function needsOf(code: string, known: ReadonlyMap<string, Connection>): Needs {
  const opens = new Set([...code.matchAll(/\bfunction (open\w+)\(/g)].flatMap(([, name = ""]) => (known.has(name) ? [name] : [])));
  const startsJobs = opens.has("openWarehouse") && /\bwarehouse\d*\.(?:start|query|queryOne|dryRun)\(/.test(code);
  const written = [...code.matchAll(WRITE)].flatMap(([, table = ""]) => table);
  // A table name that is inserted into a statement is a separate string literal.
  const put = written.includes("${") ? [...code.matchAll(ALONE)].flatMap(([, table = ""]) => table) : [];
  return {
    opens,
    names: new Set(startsJobs ? code.match(TABLE) : []),
    writes: new Set(startsJobs ? [...written.filter((table) => table !== "${"), ...put] : []),
    startsJobs,
    queriesInteractively: /\bfunction openInteractiveJobs\(/.test(code),
    stopsJobs: /\bwarehouse\d*\.cancel\(/.test(code),
  };
}

/** Returns the project's code in each function's bundle, without packages and comments. */
async function ownCode(root: string): Promise<Map<string, string>> {
  const sources = new Map(functionEntries(root).map(({ name, source }) => [name, source]));
  const entries: Plugin = {
    name: "entries",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === "entry-point" ? { path, namespace: "entry" } : undefined));
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), sideEffects: false }));
      onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({ contents: sources.get(path) ?? "", resolveDir: root, loader: "ts" }));
    },
  };
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [...sources.keys()].map((name) => ({ in: name, out: name })),
    outdir: "out",
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "error",
    write: false,
    plugins: [entries],
  });
  return new Map([...sources.keys()].map((name) => [name, outputFiles.find(({ path }) => path.endsWith(`/out/${name}.js`))?.text ?? ""]));
}
