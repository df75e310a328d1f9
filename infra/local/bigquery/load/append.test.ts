import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/** Far more than it takes. A process that waits for itself has no other end. */
const HANGS_MS = 90_000;

const file = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Appends rows while threads are to end, of which each is in a statement that calls a function of ours row by row. */
const PROGRAM = `
  import { BIGINT, DuckDBInstance } from "@duckdb/node-api";
  const { registerNative } = await import(${file("../sql/native/register.ts")});
  const { BackgroundThreads } = await import(${file("../warehouse/background-threads.ts")});
  const { RowAppender } = await import(${file("append.ts")});
  const instance = await DuckDBInstance.create(":memory:", { threads: "4" });
  const [first, changing, calling, appending] = await Promise.all(Array.from({ length: 4 }, () => instance.connect()));
  const called = Promise.withResolvers();
  const of = (value) => {
    called.resolve();
    return value;
  };
  registerNative(first, [{ name: "ours", parameterTypes: [BIGINT], returnType: BIGINT, of }]);
  await first.run("CREATE SCHEMA facts; CREATE TABLE facts.t (x BIGINT); CREATE TABLE facts.n AS SELECT range AS n FROM range(600000)");
  const threads = await BackgroundThreads.open(changing);
  let call;
  await threads.use(async () => {
    call = calling.run("SELECT sum(ours(n)) FROM facts.n");
    await called.promise;
  });
  for (let row = 0n; row < 20n; row += 1n) {
    const appender = await RowAppender.open(appending, threads, { project: "p", dataset: "facts", table: "t" });
    await appender.add([row]);
    await appender.close();
    await new Promise(setImmediate);
  }
  await call;
  const reader = await first.runAndReadAll("SELECT count(*)::INTEGER FROM facts.t");
  console.log(reader.getRows()[0][0]);
`;

it("rows are appended while threads end that wait for a function of ours", () => {
  const { stdout, stderr, signal } = spawnSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
    cwd: new URL(".", import.meta.url),
    encoding: "utf8",
    timeout: HANGS_MS,
    killSignal: "SIGKILL",
  });
  expect([stdout.trim(), stderr, signal]).toEqual(["20", "", null]);
});
