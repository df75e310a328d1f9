import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type RecordingTarget, startRecordingTarget } from "../../infra/testing/engines/recording-target.ts";
import { type FrameworkProcess, startFramework } from "../../infra/testing/shutdown/framework-process.ts";

const ENTRY = new URL("../../infra/testing/shutdown/held-entry.ts", import.meta.url);

let gate: RecordingTarget;
let release: () => void;
let served: FrameworkProcess;
let agent: Agent;

beforeEach(async () => {
  gate = await startRecordingTarget();
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  gate.respond(async ({ path }) => {
    if (path.startsWith("/held")) await open;
    return { status: 200 };
  });
  served = await startFramework({ entry: ENTRY, target: "held", env: { HELD_BY: gate.url } });
  agent = new Agent({ keepAlive: true });
});

afterEach(async () => {
  agent.destroy();
  served.process.kill("SIGKILL");
  await served.exit;
  await gate.close();
});

function ask(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${served.url}${path}`, { agent }, resolve).once("error", reject);
  });
}

async function answerOf(asked: Promise<IncomingMessage>) {
  const response = await asked;
  return { status: response.statusCode, connection: response.headers.connection, bytes: (await text(response)).length };
}

/** Whether the process still accepts connections. */
function takesConnections(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

describe("SIGTERM to a function's process, started by the functions framework's own command", () => {
  it("stops accepting connections, answers requests in flight, also on keep-alive connections, and exits with 0", async () => {
    expect(await answerOf(ask("/first"))).toMatchObject({ status: 200, connection: "keep-alive" });
    const held = [answerOf(ask("/held-1")), answerOf(ask("/held-2"))];
    await gate.received(3);
    served.process.kill("SIGTERM");
    await vi.waitUntil(async () => !(await takesConnections()), { timeout: 60_000, interval: 5 });
    expect(served.process.exitCode).toBeNull();
    release();
    expect(await Promise.all(held)).toEqual(Array.from(held, () => ({ status: 200, connection: "close", bytes: 1_000_000 })));
    expect(await served.exit).toBe(0);
  });

  it("exits with 0 at once if no request is in flight", async () => {
    served.process.kill("SIGTERM");
    expect(await served.exit).toBe(0);
  });
});
