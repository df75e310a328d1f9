import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Files, START_FILE } from "../bundles.ts";
import { FIRST_REQUESTS_FILE, firstRequests } from "../first-requests.ts";
import type { Asked } from "../sample-requests.ts";

/** Timeout of a bundle's first answer in milliseconds, on a busy machine. */
const ANSWER_MS_MAX = 60_000;
/** How often a bundle that does not listen yet is asked, in milliseconds: the processor is for its start. */
const ASK_EVERY_MS = 10;
const FILL_CODE_CACHE = fileURLToPath(new URL("../../image/fill-code-cache.cjs", import.meta.url));
/** Below the system's ephemeral ports, and none that fetch refuses to ask (10080). */
const PORTS = { first: 20_000, count: 10_000 };

interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface RunningBundle {
  readonly pid: number;
  /** Retries until the bundle listens, then returns the answer. Throws with the process's output if it exits. */
  readonly ask: (asked: Asked) => Promise<Answer>;
  /** What it has printed as errors so far. */
  readonly said: () => string;
  /**
   * Ends the bundle as its platform does, which then waits for late requests, and kills it if it takes longer than these milliseconds. Returns its exit
   * code, null if it was killed.
   */
  readonly stop: (msMax?: number) => Promise<number | null>;
}

/** Writes a bundle to a new folder outside the project, without installed packages. */
export function unpack(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "populus-bundle-"));
  for (const [path, content] of files) writeFileSync(join(folder, path), content);
  return folder;
}

/** What the image sets for its functions (scripts/image/Dockerfile), with the code cache of a folder. */
export function imageEnvironment(folder: string): Readonly<Record<string, string>> {
  return { NODE_ENV: "production", CODE_CACHE: join(folder, "code-cache"), NODE_OPTIONS: "--v8-pool-size=1" };
}

/**
 * Fills the code cache of an unpacked function as the build of the image does, on a port or the next one that is free. Returns what that prints. Throws if
 * the function does not start.
 */
export async function fillCodeCache(folder: string, name: string, port?: number): Promise<string> {
  writeFileSync(join(folder, FIRST_REQUESTS_FILE), firstRequests([name]));
  const { PATH = "" } = process.env;
  const { stdout } = await promisify(execFile)("node", [FILL_CODE_CACHE], {
    cwd: folder,
    env: { ...imageEnvironment(folder), PATH, FIRST_PORT: String(port ?? (await freePort())) },
  });
  return stdout;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The program of a service, and what it tells V8 (terraform/modules/function/service.tf). */
export const SERVICE_COMMAND = ["node", "--min-semi-space-size=16", "--max-semi-space-size=16"] as const;

/**
 * Starts an unpacked function like its service (terraform/modules/function/service.tf). `command` replaces the program and its arguments.
 */
export async function startBundle(
  folder: string,
  name: string,
  environment: Readonly<Record<string, string>>,
  command: readonly string[] = [...SERVICE_COMMAND, START_FILE, `--target=${name}`, `--source=${name}.cjs`],
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
        await delay(ASK_EVERY_MS);
      }
      throw new Error(`${name} did not answer:\n${said.join("")}`);
    },
    said: () => said.join(""),
    stop: (msMax) => stop(child, msMax),
  };
}

async function stop(child: ChildProcess, msMax?: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const killing = msMax === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), msMax);
  await exited;
  clearTimeout(killing);
  return child.exitCode;
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
