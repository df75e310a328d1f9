import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandBlocks } from "./fences.ts";
import { readPage } from "./pages.ts";

const PAGE = "functions/README.md";
/** The function that the page gives to customers. */
const [LOOP = ""] = commandBlocks(PAGE, readPage(PAGE)).flatMap(
  ({ commands }) => /^wait_for_job\(\) \{$[\s\S]*?^\}$/m.exec(commands) ?? [],
);

interface Waited {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  readonly requests: number;
}

/** Runs the loop against a service that gives these answers, then no more. */
async function wait(...answers: readonly object[]): Promise<Waited> {
  let requests = 0;
  const server = createServer((_request, response) => {
    const answer = answers[requests++];
    if (answer) response.end(JSON.stringify(answer));
    else response.destroy();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  // The pauses are not what is tested.
  const script = `sleep() { :; }\n${LOOP}\nwait_for_job some-job`;
  const child = spawn("bash", ["-c", script], { env: { ...process.env, DATA: `http://127.0.0.1:${address.port}`, KEY: "k" } });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  const [status] = await once(child, "close");
  return { status, out, err, requests };
}

const job = (status: string, error: string | null = null) => ({ job_id: "some-job", status, progress: 40, error });

describe("the loop that waits for a job", () => {
  it("waits while the job is queued or running, and while the service asks to retry", async () => {
    const waited = await wait(job("queued"), { status: 503, code: "unavailable" }, { status: 429 }, job("running"), job("completed"));
    expect(waited).toEqual({ status: 0, out: `${JSON.stringify(job("completed"))}\n`, err: "", requests: 5 });
  });

  it.each([
    ["failed", job("failed", "The job took longer than six hours and was stopped")],
    ["cancelled", job("cancelled")],
    ["expired", job("expired")],
    ["unknown", { status: 404, code: "not_found", detail: "There is no such job" }],
  ])("stops when the job is %s, prints why, and fails", async (_status, last) => {
    expect(await wait(job("running"), last)).toEqual({ status: 1, out: "", err: `${JSON.stringify(last)}\n`, requests: 2 });
  });

  it("stops when nothing answers, and fails", async () => {
    expect(await wait(job("running"))).toMatchObject({ status: 1, out: "", err: expect.stringContaining("No answer from http://") });
  });
});
