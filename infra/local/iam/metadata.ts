import type { IncomingHttpHeaders } from "node:http";
import { createLocalServer, urlOf } from "../http-server.ts";
import { type Identity, SCOPES } from "../identity.ts";
import { type LocalServer, listenOnLoopback } from "../server.ts";
import { answerJson, answerRefusal } from "../tasks/wire/json-http.ts";
import { TokenCache } from "../tasks/wire/token-cache.ts";
import { iamAdmin, isIamAdmin } from "./admin.ts";

export interface MetadataOptions {
  /** The port. 0 or absent: a free one. */
  readonly port?: number;
  readonly identity: Identity;
  readonly project: string;
  /** The email of the service account that this machine runs as. */
  readonly account: string;
  /** Emails of further accounts whose tokens a client can ask for by name. */
  readonly otherAccounts?: readonly string[];
  /** The time, in milliseconds since 1970. */
  readonly now?: () => number;
}

interface Answer {
  readonly code: number;
  readonly body: string | object;
}

/**
 * Serves the parts of the Compute Engine metadata server that google-auth-library's default credentials use (GCE_METADATA_HOST, with
 * METADATA_SERVER_DETECTION=assume-present), and on the same port the part of IAM Admin in `admin.ts`. Rejects if the port is taken.
 */
export async function startMetadata(options: MetadataOptions): Promise<LocalServer> {
  const metadata = new Metadata(options);
  const server = createLocalServer(async (request, response) => {
    const url = urlOf(request);
    const path = decodedPath(url);
    if (isIamAdmin(path)) {
      try {
        answerJson(response, 200, await iamAdmin(request, path, options));
      } catch (error) {
        answerRefusal(response, error);
      }
      return;
    }
    const { code, body } = metadata.answer(path, url.searchParams, request.headers);
    const [type, text] = typeof body === "string" ? ["application/text", body] : ["application/json", JSON.stringify(body)];
    response.writeHead(code, { "Metadata-Flavor": "Google", Server: "Metadata Server for VM", "Content-Type": type }).end(text);
  });
  return listenOnLoopback(server, options.port);
}

/** The metadata tree. */
class Metadata {
  readonly #options: MetadataOptions;
  readonly #now: () => number;
  readonly #tokens: TokenCache;

  constructor(options: MetadataOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#tokens = new TokenCache(options.identity, this.#now);
  }

  answer(decoded: string, query: URLSearchParams, headers: IncomingHttpHeaders): Answer {
    const path = decoded.replace(/\/$/, "");
    if (path === "") return { code: 200, body: "computeMetadata/\n" };
    if (headers["metadata-flavor"] !== "Google") return { code: 403, body: "Missing Metadata-Flavor:Google header." };
    // A proxied request does not come from this machine.
    if ("x-forwarded-for" in headers) return { code: 403, body: "Requests with X-Forwarded-For are refused." };
    const { project, account: own, otherAccounts: others = [] } = this.#options;
    const [, area, rest = ""] = /^\/computeMetadata\/v1\/(instance|project|universe)(?:\/(.*))?$/.exec(path) ?? [];
    if (area === "project" && rest === "project-id") return { code: 200, body: project };
    if (area === "universe" && rest === "universe-domain") return { code: 200, body: "googleapis.com" };
    if (area === "instance" && rest === "") return { code: 200, body: "service-accounts/\n" };
    if (area === "instance" && rest === "service-accounts")
      return { code: 200, body: ["default", own, ...others].map((name) => `${name}/\n`).join("") };
    const [, named, entry] = /^service-accounts\/([^/]+)(?:\/(email|scopes|token))?$/.exec(rest) ?? [];
    const account = named === "default" ? own : [own, ...others].find((email) => email === named);
    if (area !== "instance" || account === undefined) return { code: 404, body: "Not Found" };
    return this.#entry(account, entry, query);
  }

  /** Answers an entry of an account; without one, the list of its entries. */
  #entry(account: string, entry: string | undefined, query: URLSearchParams): Answer {
    if (entry === "email") return { code: 200, body: account };
    if (entry === "scopes") return { code: 200, body: `${SCOPES.cloudPlatform}\n` };
    if (entry === "token") return this.#token(account, query.get("scopes"));
    return query.get("recursive")?.toLowerCase() === "true"
      ? {
          code: 200,
          body: { aliases: account === this.#options.account ? ["default"] : [], email: account, scopes: [SCOPES.cloudPlatform] },
        }
      : { code: 200, body: "email\nscopes\ntoken\n" };
  }

  #token(account: string, asked: string | null): Answer {
    const scopes = asked?.split(",").filter(Boolean) ?? [];
    try {
      const { accessToken, expiresAt } = this.#tokens.token(account, scopes.length > 0 ? scopes : [SCOPES.cloudPlatform]);
      const expiresIn = Math.floor((expiresAt - this.#now()) / 1000);
      return { code: 200, body: { access_token: accessToken, expires_in: expiresIn, token_type: "Bearer" } };
    } catch {
      return { code: 403, body: `Unable to generate access token for ${account}` };
    }
  }
}

/** Clients may encode the @ of an email as %40. */
function decodedPath(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}
