// Fills the code cache (CODE_CACHE, see start.cjs) of the functions of the folder that it is called in, when the image is built. Starts each as its service
// does, sends it the request that first-requests.json has for it, and stops it: what has run by then is in the cache. Google's services are here: Firestore
// and BigQuery answer what first-requests.json has for them, and all others that there is nothing.
const { spawn } = require("node:child_process");
const { existsSync, readFileSync } = require("node:fs");
const http = require("node:http");
const http2 = require("node:http2");
const net = require("node:net");
const { join } = require("node:path");
const { setTimeout: wait } = require("node:timers/promises");

/** Below those that the system gives to connections, of which the functions make many. */
const FIRST_PORT = Number(process.env.FIRST_PORT ?? 8080);
const AT_ONCE = 4;
const LISTENS_WITHIN_MS = 60_000;
/** Whoever needs more of the cloud may take long to fail: it has run by then. */
const ANSWERS_WITHIN_MS = 2000;
const HEADERS = { "content-type": "application/json", "x-api-key": "0".repeat(64) };

/** The times in a document, and the time when it was read, each empty: the epoch. */
const [CREATED, UPDATED] = [3, 4].map((field) => lengthDelimited(field, []));
const READ = lengthDelimited(4, []);
/** What Firestore says of a document that there is not. */
const NOT_FOUND = { "grpc-status": "5", "grpc-message": 'Document "-" not found.' };
/** The id of every transaction. */
const ID = [Buffer.from("1")];

const environment = (grpc, rest) => ({
  PATH: process.env.PATH,
  NODE_ENV: process.env.NODE_ENV,
  NODE_OPTIONS: process.env.NODE_OPTIONS,
  CODE_CACHE: process.env.CODE_CACHE,
  CODE_CACHE_FILL: "true",
  GOOGLE_CLOUD_PROJECT: "code-cache",
  ENVIRONMENT: "prod",
  EXPORT_BUCKET: "code-cache",
  FIRESTORE_EMULATOR_HOST: grpc,
  TASKS_ADDRESS: grpc,
  IAM_CREDENTIALS_ADDRESS: grpc,
  PUBSUB_EMULATOR_HOST: grpc,
  PUBSUB_REST_URL: `http://${rest}`,
  STORAGE_URL: `http://${rest}`,
  BIGQUERY_URL: `http://${rest}`,
  GCE_METADATA_HOST: rest,
  METADATA_SERVER_DETECTION: "assume-present",
});

async function main() {
  const { functions, documents } = JSON.parse(readFileSync("first-requests.json", "utf8"));
  const grpc = await listen(createGrpc(documents));
  const waiting = [...functions];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await fill(next, environment(grpc, await listen(createRest(next.answer))));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`Filled the code cache of ${functions.length} functions`);
  process.exit(0);
}

async function fill({ name, method, path, body }, variables) {
  const port = await freePort();
  const program = ["start.cjs", `--target=${name}`, `--source=${name}.cjs`];
  const child = spawn(process.execPath, program, { env: { ...variables, K_SERVICE: name, PORT: String(port) }, stdio: "ignore" });
  const exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  const url = `http://127.0.0.1:${port}${path}`;
  let answered = "none";
  for (const until = Date.now() + LISTENS_WITHIN_MS; ; await wait(20)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${name} does not start`);
    try {
      const sent = { method, headers: HEADERS, body: body && JSON.stringify(body), signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) };
      answered = (await fetch(url, sent)).status;
      break;
    } catch (error) {
      if (error.cause?.code === "ECONNREFUSED") continue;
      answered = `none (${error.cause?.message ?? error.message})`;
      break;
    }
  }
  console.log(`${name}: ${answered}`);
  child.kill("SIGTERM");
  const end = await exited;
  // It was ended before it had started: another program answered.
  if (!existsSync(join(process.env.CODE_CACHE, `${name}.cjs`)))
    throw new Error(`${name} has left no bytecode: the answer on port ${port} was ${answered}, and its end ${end}`);
}

let nextPort = FIRST_PORT;

/** Returns a port that no other process listens on, each once. */
async function freePort() {
  for (;;) {
    const port = nextPort++;
    const server = net.createServer();
    const isFree = await new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

/**
 * The answers to calls that need more than an empty message, by method: of Firestore the ids of transactions, the times of a read and of a commit, and a count;
 * of IAM a token, and when it expires.
 */
const ANSWERS = new Map([
  ["RunQuery", Buffer.concat([lengthDelimited(2, ID), lengthDelimited(3, [])])],
  [
    "RunAggregationQuery",
    Buffer.concat([lengthDelimited(1, [encodeFields({ aggregate_0: 0 })]), lengthDelimited(2, ID), lengthDelimited(3, [])]),
  ],
  ["BeginTransaction", lengthDelimited(1, ID)],
  ["Commit", lengthDelimited(2, [])],
  ["GenerateAccessToken", Buffer.concat([lengthDelimited(1, [Buffer.from("none")]), lengthDelimited(3, [Buffer.from([1 << 3, 1])])])],
]);

/** The services with gRPC. Firestore finds the documents that it has, by their collection. Nothing is kept. */
function createGrpc(documents) {
  const found = new Map(Object.entries(documents).map(([collection, fields]) => [collection, encodeFields(fields)]));
  const documentOf = (name) => {
    const [collection, id] = name.toString().split("/").slice(-2);
    // The document that each function reads to be connected is nowhere: what runs then is in the cache too.
    const fields = id === "-" ? undefined : found.get(collection);
    return fields && Buffer.concat([lengthDelimited(1, [name]), fields, CREATED, UPDATED]);
  };
  const answerOf = (name) => {
    const document = documentOf(name);
    const answer = document ? lengthDelimited(1, [document]) : lengthDelimited(2, [name]);
    return Buffer.concat([answer, lengthDelimited(3, ID), READ]);
  };
  /** Undefined for a document that there is not. */
  const messagesOf = (method, frame) => {
    if (method === "BatchGetDocuments") return namesIn(frame, 2).map(answerOf);
    if (method !== "GetDocument") return [ANSWERS.get(method) ?? Buffer.alloc(0)];
    const documents = namesIn(frame, 1).flatMap((name) => documentOf(name) ?? []);
    return documents.length > 0 ? documents : undefined;
  };
  const server = http2.createServer();
  server.on("stream", async (stream, headers) => {
    stream.on("error", () => undefined);
    const frame = await readFrame(stream);
    const method = headers[":path"].split("/").at(-1);
    const messages = messagesOf(method, frame);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(messages ? { "grpc-status": "0" } : NOT_FOUND));
    stream.end(Buffer.concat((messages ?? []).flatMap((message) => [lengthPrefix(message), message])));
  });
  return server;
}

/** The members that BigQuery's answers have: of a job that is done, and of a query without rows. */
const NO_ROWS = {
  ...{
    id: "code-cache:EU.1",
    jobReference: { projectId: "code-cache", jobId: "1", location: "EU" },
    jobComplete: true,
    status: { state: "DONE" },
  },
  ...{ schema: { fields: [] }, rows: [], totalRows: "0", totalBytesProcessed: "0", cacheHit: false },
  statistics: { totalBytesProcessed: "0", query: { totalBytesProcessed: "0", totalBytesBilled: "0" } },
};

/** The services with REST: the metadata server gives a token, all others answer like a query, with the members that are given. */
function createRest(answer) {
  const queried = JSON.stringify({ ...NO_ROWS, ...answer });
  return http.createServer((request, response) => {
    const isMetadata = request.url.startsWith("/computeMetadata/");
    response.writeHead(200, { "content-type": "application/json", "metadata-flavor": "Google" });
    request.resume().on("end", () => response.end(isMetadata ? JSON.stringify({ access_token: "none", expires_in: 3600 }) : queried));
  });
}

/** Listens on a port that is free. Returns `host:port`. */
async function listen(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${server.address().port}`;
}

/** Reads one message: a client need not end its side of a stream. Five bytes are its prefix: whether it is compressed, and its length. */
function readFrame(stream) {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve) => {
    stream.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) resolve(bytes.subarray(5, 5 + bytes.readUInt32BE(1)));
    });
  });
}

function lengthPrefix(message) {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return prefix;
}

/** The names in a request for documents: a field of strings. All fields before it have a length. */
function namesIn(message, field) {
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
    if (tag === ((field << 3) | 2)) names.push(message.subarray(at, at + length));
    at += length;
  }
  return names;
}

/** The fields of a Firestore document: its field 2, an entry of a map each, with a name and a value. */
function encodeFields(fields) {
  return Buffer.concat(Object.entries(fields).map(([name, value]) => encodeEntry(2, name, value)));
}

function encodeEntry(field, name, value) {
  return lengthDelimited(field, [lengthDelimited(1, [Buffer.from(name)]), lengthDelimited(2, [encodeValue(value)])]);
}

/** A value of Firestore (google.firestore.v1.Value): a string, a boolean, a whole number, null, a time in seconds, an array, or a map. */
function encodeValue(value) {
  if (value === null) return Buffer.from([...varint(11 << 3), 0]);
  if (typeof value === "boolean") return Buffer.from([...varint(1 << 3), Number(value)]);
  if (typeof value === "number") return Buffer.from([...varint(2 << 3), ...varint(value)]);
  if (typeof value === "string") return lengthDelimited(17, [Buffer.from(value)]);
  if ("timestamp" in Object(value)) return lengthDelimited(10, [Buffer.from([1 << 3, ...varint(value.timestamp)])]);
  if (Array.isArray(value))
    return lengthDelimited(
      9,
      value.map((one) => lengthDelimited(1, [encodeValue(one)])),
    );
  return lengthDelimited(
    6,
    Object.entries(value).map(([name, member]) => encodeEntry(1, name, member)),
  );
}

/** A field of protobuf with a length. Source: https://protobuf.dev/programming-guides/encoding */
function lengthDelimited(field, parts) {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(content.length)]), content]);
}

/** A whole number that is not negative, seven bits a byte. */
function varint(number) {
  const bytes = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

void main();
