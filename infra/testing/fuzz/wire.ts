import { Agent, type IncomingHttpHeaders, request as open } from "node:http";
import { gunzipSync } from "node:zlib";

/** A request as sent on the wire, without the normalisation that `fetch` does. */
export interface WireRequest {
  /** `http://host:port`. */
  readonly base: string;
  readonly method: string;
  /** Path and query as in the request line: characters from `!` to `ÿ`, one byte each. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

/** A response, or why there is none. */
export interface WireAnswer {
  /** 0 when there is no response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const ANSWER_MS_MAX = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request and returns its response. Never throws: a missing response has status 0 and the reason as its text. */
export async function send(request: WireRequest): Promise<WireAnswer> {
  const first = await attempt(request);
  // The server closed an idle connection: retry on a new one.
  return first === "stale" ? noAnswer(await attempt({ ...request, headers: [...request.headers, ["Connection", "close"]] })) : first;
}

function noAnswer(answer: WireAnswer | "stale"): WireAnswer {
  return answer === "stale" ? { status: 0, headers: {}, text: "the connection was closed twice" } : answer;
}

function attempt({ base, method, target, headers, body }: WireRequest): Promise<WireAnswer | "stale"> {
  return new Promise((resolve) => {
    const { hostname, port, host } = new URL(base);
    const length = body === undefined ? [] : ["Content-Length", String(body.length)];
    const options = { agent, hostname, port, method, path: target, headers: ["Host", host, ...length, ...headers.flat()] };
    const failed = (error: Error): void => resolve({ status: 0, headers: {}, text: error.message });
    try {
      const asked = open(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", failed);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: textOf(Buffer.concat(chunks), response.headers) }),
        );
      });
      asked.setTimeout(ANSWER_MS_MAX, () => asked.destroy(new Error(`no answer in ${ANSWER_MS_MAX} ms`)));
      asked.on("error", (error) =>
        asked.reusedSocket && "code" in error && error.code === "ECONNRESET" ? resolve("stale") : failed(error),
      );
      asked.end(body);
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Returns the text of a body. The response to HEAD has the header of the compressed form, and no body. */
function textOf(body: Buffer, headers: IncomingHttpHeaders): string {
  return (headers["content-encoding"] === "gzip" && body.length > 0 ? gunzipSync(body) : body).toString("utf8");
}

const SHOWN_MAX = 2000;

/** Placeholders for the values of secret headers. */
const SECRET: Readonly<Record<string, string>> = { "x-api-key": "$KEY", authorization: "Bearer $TOKEN" };

/** Returns the curl command of a request, with a variable for its key or token. Very long parts are truncated, with a note. */
export function curlOf({ base, method, target, headers, body }: WireRequest): string {
  const quoted = (text: string): string => `'${text.slice(0, SHOWN_MAX).replaceAll("'", "'\\''")}'`;
  const shown = headers.map(([name, value]) =>
    SECRET[name] === undefined ? `-H ${quoted(`${name}: ${value}`)}` : `-H "${name}: ${SECRET[name]}"`,
  );
  const bytes = body
    ?.subarray(0, SHOWN_MAX)
    .toString("latin1")
    .replaceAll(/[^ -&(-[\]-~]/g, escaped);
  const data = bytes === undefined ? [] : [`--data-binary $'${bytes}'`];
  const long = [target, ...headers.map(([, value]) => value), body ?? ""]
    .map(({ length }) => length)
    .filter((length) => length > SHOWN_MAX);
  const cut = long.map((length) => `# cut: what is long is ${length} long`);
  return ["curl -si --path-as-is -X", method, quoted(base + target), ...shown, ...data, ...cut].join(" ");
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
