import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Files } from "../bundles.ts";

/** Timeout of a bundle's first answer in milliseconds, on a busy machine. */
const ANSWER_MS_MAX = 60_000;
/** How often a bundle that does not listen yet is asked, in milliseconds: the processor is for its start. */
const ASK_EVERY_MS = 10;
const COMPILE_CACHE = fileURLToPath(new URL("../../image/compile-cache.cjs", import.meta.url));
const PORTS = { first: 10_000, count: 10_000 };

/** One request to a function. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface RunningBundle {
  readonly pid: number;
  /** Retries until the bundle listens, then returns the answer. Throws with the process's output if it exits. */
  readonly ask: (asked: Asked) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

/** Writes a bundle to a new folder outside the project, without installed packages. */
export function unpack(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "populus-bundle-"));
  for (const [path, content] of files) writeFileSync(join(folder, path), content);
  return folder;
}

/** Where the compile cache of a folder is (scripts/image/Dockerfile). */
export function compileCacheOf(folder: string): string {
  return join(folder, "compile-cache");
}

/** What the image sets for its functions (scripts/image/Dockerfile), with the compile cache of a folder. */
export function imageEnvironment(folder: string): Readonly<Record<string, string>> {
  return {
    NODE_ENV: "production",
    NODE_COMPILE_CACHE: compileCacheOf(folder),
    NODE_OPTIONS: "--v8-pool-size=1",
    FIRESTORE_ENABLE_TRACING: "off",
  };
}

/** A function, in the form of `infra/generated/functions.json`. */
export interface Filled {
  readonly name: string;
  readonly trigger: string;
  readonly method?: string;
  readonly path?: string;
}

/** Fills the compile cache of an unpacked function as the build of the image does. Throws if the function does not start. */
export async function fillCompileCache(folder: string, filled: Filled): Promise<void> {
  writeFileSync(join(folder, "functions.json"), JSON.stringify([filled]));
  const port = await freePort();
  const { PATH = "" } = process.env;
  await promisify(execFile)("node", [COMPILE_CACHE], {
    cwd: folder,
    env: { ...imageEnvironment(folder), PATH, FIRST_PORT: String(port) },
  });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Starts an unpacked function like its service (terraform/modules/function/service.tf). `command` replaces the program and its arguments.
 */
export async function startBundle(
  folder: string,
  name: string,
  environment: Readonly<Record<string, string>>,
  command: readonly string[] = ["node", "functions-framework.cjs", `--target=${name}`, `--source=${name}.cjs`],
): Promise<RunningBundle> {
  const port = await freePort();
  const [program = "", ...parameters] = command;
  const { PATH = "" } = process.env;
  const child = spawn(program, parameters, {
    cwd: folder,
    env: { ...environment, PATH, NODE_ENV: "production", PORT: String(port), K_SERVICE: name },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  return {
    pid: child.pid ?? 0,
    ask: async (asked) => {
      for (const until = performance.now() + ANSWER_MS_MAX; performance.now() < until; ) {
        if (child.exitCode !== null) throw new Error(`${name} ended:\n${said.join("")}`);
        const answer = await ask(port, asked);
        if (answer) return answer;
        await setTimeout(ASK_EVERY_MS);
      }
      throw new Error(`${name} did not answer:\n${said.join("")}`);
    },
    stop: () => stop(child),
  };
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

/** Sends a request. Returns undefined if the port has no listener yet. */
function ask(port: number, { method, path, headers, body }: Asked): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const content = body === undefined ? {} : { "content-type": "application/json" };
    const options = { host: "127.0.0.1", port, method, path, headers: { connection: "close", ...content, ...headers } };
    const sent = request(options, (response) => read(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject));
    sent.on("error", (error) => ("code" in error && error.code === "ECONNREFUSED" ? resolve(undefined) : reject(error)));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

let ports = 0;

/** Returns a free port below the system's ephemeral ports: no other process is given it by chance before the bundle listens. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + ((7 * process.pid + ports++) % PORTS.count);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
