// Fills Node's compile cache (NODE_COMPILE_CACHE) with the functions of the folder that it is called in, when the image is built. Starts each as its
// service does, sends it a request, and stops it: Node then stores the bytecode of all that has run. The functions' Firestore is here, and is empty.
// Source: https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { createServer } = require("node:http2");
const { setTimeout: wait } = require("node:timers/promises");

const FIRST_PORT = Number(process.env.FIRST_PORT ?? 8080);
const AT_ONCE = 4;
const LISTENS_WITHIN_MS = 60_000;
/** Whoever needs more of the cloud than an empty Firestore may take long to fail: it has run by then. */
const ANSWERS_WITHIN_MS = 2000;
/** Nothing listens on this port. */
const NOWHERE = "127.0.0.1:9";
const HEADERS = { "content-type": "application/json", "x-api-key": "0".repeat(64) };
const MESSAGE = { subscription: "", message: { messageId: "1", publishTime: "2026-01-01T00:00:00Z", data: "e30=" } };

const environment = (firestore) => ({
  PATH: process.env.PATH,
  NODE_ENV: process.env.NODE_ENV,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  GOOGLE_CLOUD_PROJECT: "compile-cache",
  ENVIRONMENT: "prod",
  EXPORT_BUCKET: "compile-cache",
  FIRESTORE_EMULATOR_HOST: firestore,
  // Without it the clients look for the metadata server.
  ACCESS_TOKEN: "none",
  TASKS_ADDRESS: NOWHERE,
  IAM_CREDENTIALS_ADDRESS: NOWHERE,
  PUBSUB_EMULATOR_HOST: NOWHERE,
  PUBSUB_REST_URL: `http://${NOWHERE}`,
  STORAGE_URL: `http://${NOWHERE}`,
  BIGQUERY_URL: `http://${NOWHERE}`,
});

async function main() {
  const functions = JSON.parse(readFileSync("functions.json", "utf8"));
  const firestore = emptyFirestore();
  await new Promise((resolve) => firestore.listen(0, "127.0.0.1", resolve));
  const variables = environment(`127.0.0.1:${firestore.address().port}`);
  const waiting = functions.map((one, index) => ({ ...one, port: FIRST_PORT + index }));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await fill(next, variables);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`Filled the compile cache of ${functions.length} functions`);
  process.exit(0);
}

async function fill({ name, trigger, method = "POST", path = "/", port }, variables) {
  const program = ["functions-framework.cjs", `--target=${name}`, `--source=${name}.cjs`];
  const child = spawn(process.execPath, program, { env: { ...variables, K_SERVICE: name, PORT: String(port) }, stdio: "ignore" });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const body = method === "GET" ? undefined : JSON.stringify(trigger === "topic" ? MESSAGE : {});
  const url = `http://127.0.0.1:${port}${path.replaceAll(/\{\w+\}/g, "1")}`;
  for (const until = Date.now() + LISTENS_WITHIN_MS; ; await wait(20)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${name} does not start`);
    try {
      await fetch(url, { method, headers: HEADERS, body, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
      break;
    } catch (error) {
      if (error.cause?.code !== "ECONNREFUSED") break;
    }
  }
  child.kill("SIGTERM");
  await exited;
}

/** Answers every call with an empty message, and a read of documents with their absence. */
function emptyFirestore() {
  const server = createServer();
  server.on("stream", async (stream, headers) => {
    stream.on("error", () => undefined);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    const frame = await readFrame(stream);
    const messages = headers[":path"].endsWith("/BatchGetDocuments") ? documentsOf(frame).map(missing) : [Buffer.alloc(0)];
    stream.end(Buffer.concat(messages.flatMap((message) => [lengthPrefix(message), message])));
  });
  return server;
}

/** Reads one message: a client need not end its side of a stream. Five bytes are its prefix: whether it is compressed, and its length. */
async function readFrame(stream) {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) break;
  }
  return bytes.subarray(5);
}

function lengthPrefix(message) {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return prefix;
}

/** The names in a BatchGetDocumentsRequest: its field 2, a string each. All fields before it have a length. */
function documentsOf(message) {
  const names = [];
  for (let at = 0; at < message.length; ) {
    const tag = message[at++];
    if ((tag & 7) !== 2) break;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      length += (byte & 127) << shift;
      if (byte < 128) break;
    }
    if (tag === 0x12) names.push(message.subarray(at, at + length));
    at += length;
  }
  return names;
}

/** A BatchGetDocumentsResponse: the missing document's name in field 2, and an empty time of the read in field 4. */
function missing(name) {
  const length = name.length < 128 ? [name.length] : [(name.length & 127) | 128, name.length >> 7];
  return Buffer.concat([Buffer.from([0x12, ...length]), name, Buffer.from([0x22, 0])]);
}

void main();
