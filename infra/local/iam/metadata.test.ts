import diagnostics from "node:diagnostics_channel";
import { BigQuery } from "@google-cloud/bigquery";
import { Storage } from "@google-cloud/storage";
import { Compute, GoogleAuth } from "google-auth-library";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Identity, SCOPES } from "../identity.ts";
import type { LocalServer } from "../server.ts";
import { startMetadata } from "./metadata.ts";

const PROJECT = "demo-local";
const ACCOUNT = "functions@demo-local.iam.gserviceaccount.com";
const LOADER = "loader@demo-local.iam.gserviceaccount.com";
const TOKEN = "/computeMetadata/v1/instance/service-accounts/default/token";

let now: number;
let identity: Identity;
let server: LocalServer;

beforeEach(async () => {
  now = Date.now();
  identity = new Identity(() => now);
  identity.addAccount(ACCOUNT);
  identity.addAccount(LOADER);
  server = await startMetadata({ identity, project: PROJECT, account: ACCOUNT, otherAccounts: [LOADER], now: () => now });
  vi.stubEnv("GCE_METADATA_HOST", server.address);
  vi.stubEnv("METADATA_SERVER_DETECTION", "assume-present");
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", undefined);
  // Set in every environment. Without it google-auth-library runs gcloud to find the project, which takes a second.
  vi.stubEnv("GOOGLE_CLOUD_PROJECT", PROJECT);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

async function ask(path: string, headers: Record<string, string> = { "Metadata-Flavor": "Google" }) {
  const response = await fetch(`http://${server.address}${path}`, { headers });
  return { status: response.status, flavor: response.headers.get("metadata-flavor"), text: await response.text() };
}

async function ownToken(scopes = ""): Promise<string> {
  const { text } = await ask(`${TOKEN}${scopes && `?scopes=${scopes}`}`);
  return JSON.parse(text).access_token;
}

describe("default credentials", () => {
  it("come from here, without any other request and without gcloud", async () => {
    const asked = new Set<string>();
    const hear = (message: unknown) => asked.add(originOf(message));
    const started = () => asked.add("another program");
    for (const channel of ["undici:request:create", "http.client.request.start"]) diagnostics.subscribe(channel, hear);
    diagnostics.subscribe("child_process", started);
    try {
      const auth = new GoogleAuth({ scopes: SCOPES.cloudPlatform });
      const token = await auth.getAccessToken();
      expect(identity.verify(token ?? "")).toEqual({ email: ACCOUNT, scopes: [SCOPES.cloudPlatform] });
      expect(await auth.getProjectId()).toBe(PROJECT);
      expect([...asked]).toEqual([server.address]);
    } finally {
      for (const channel of ["undici:request:create", "http.client.request.start"]) diagnostics.unsubscribe(channel, hear);
      diagnostics.unsubscribe("child_process", started);
    }
  });

  it("work for the real BigQuery and Storage clients", async () => {
    for (const client of [new BigQuery(), new Storage()]) {
      const token = await client.authClient.getAccessToken();
      expect(identity.verify(token ?? "")?.email).toBe(ACCOUNT);
      expect(await client.authClient.getProjectId()).toBe(PROJECT);
    }
  });
});

describe("the metadata server", () => {
  it.each([
    ["/", "computeMetadata/\n"],
    ["/computeMetadata/v1/project/project-id", PROJECT],
    ["/computeMetadata/v1/universe/universe-domain", "googleapis.com"],
    ["/computeMetadata/v1/instance/service-accounts/default/email", ACCOUNT],
    [`/computeMetadata/v1/instance/service-accounts/${encodeURIComponent(ACCOUNT)}/email`, ACCOUNT],
    ["/computeMetadata/v1/instance/service-accounts/default/scopes", `${SCOPES.cloudPlatform}\n`],
    ["/computeMetadata/v1/instance/service-accounts/", `default/\n${ACCOUNT}/\n${LOADER}/\n`],
    [`/computeMetadata/v1/instance/service-accounts/${LOADER}/email`, LOADER],
  ])("returns %s", async (path, text) => {
    expect(await ask(path)).toEqual({ status: 200, flavor: "Google", text });
  });

  it.each([
    "/computeMetadata/v1/instance/zone",
    "/computeMetadata/v1/instance/service-accounts/other@x/token",
    "/computeMetadata/v1/instance/service-accounts/default/identity",
    "/%",
  ])("does not know %s", async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, flavor: "Google" });
  });

  it("refuses requests without the Metadata-Flavor header or with X-Forwarded-For", async () => {
    expect(await ask(TOKEN, {})).toMatchObject({ status: 403 });
    expect(await ask(TOKEN, { "Metadata-Flavor": "Google", "X-Forwarded-For": "10.0.0.1" })).toMatchObject({ status: 403 });
  });

  it("returns the token of another account to a client that names it", async () => {
    const client = new BigQuery({ projectId: PROJECT, authClient: new Compute({ serviceAccountEmail: LOADER }) });
    expect(identity.verify((await client.authClient.getAccessToken()) ?? "")).toEqual({ email: LOADER, scopes: [SCOPES.cloudPlatform] });
  });

  it("returns the same token until shortly before it expires, then a new one", async () => {
    const first = await ownToken();
    now += 3_000_000;
    expect(await ownToken()).toBe(first);
    expect(JSON.parse((await ask(TOKEN)).text)).toMatchObject({ expires_in: 600, token_type: "Bearer" });
    now += 300_000;
    expect(await ownToken()).not.toBe(first);
  });

  it("returns tokens with the requested scopes", async () => {
    expect(identity.verify(await ownToken(`${SCOPES.bigquery},${SCOPES.storageRead}`))?.scopes).toEqual([
      SCOPES.bigquery,
      SCOPES.storageRead,
    ]);
  });

  it("returns none while the account is disabled", async () => {
    const token = await ownToken();
    identity.setDisabled(ACCOUNT, true);
    expect(await ask(TOKEN)).toMatchObject({ status: 403 });
    expect(identity.verify(token)).toBeUndefined();
  });
});

describe("the admin API of service accounts", () => {
  const accounts = `/v1/projects/${PROJECT}/serviceAccounts`;
  const email = `storage-acme0001@${PROJECT}.iam.gserviceaccount.com`;

  async function admin(method: string, path: string, options: { token?: string | undefined; body?: object } = {}) {
    const token = "token" in options ? options.token : await ownToken();
    const response = await fetch(`http://${server.address}${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(options.body && { body: JSON.stringify(options.body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  it("creates an account once, which can then get tokens", async () => {
    const created = await admin("POST", accounts, { body: { accountId: "storage-acme0001", serviceAccount: { displayName: "Acme" } } });
    expect(created).toMatchObject({
      status: 200,
      body: {
        name: `projects/${PROJECT}/serviceAccounts/${email}`,
        email,
        projectId: PROJECT,
        uniqueId: expect.stringMatching(/^\d{21}$/),
      },
    });
    expect(identity.hasAccount(email)).toBe(true);
    expect(await admin("POST", accounts, { body: { accountId: "storage-acme0001" } })).toMatchObject({
      status: 409,
      body: { error: { code: 409, status: "ALREADY_EXISTS" } },
    });
  });

  it("disables, enables and returns an account", async () => {
    await admin("POST", accounts, { body: { accountId: "storage-acme0001" } });
    expect(await admin("POST", `${accounts}/${email}:disable`)).toEqual({ status: 200, body: {} });
    expect(await admin("GET", `${accounts}/${email}`)).toMatchObject({ status: 200, body: { email, disabled: true } });
    expect(() => identity.mint(email, [], 60)).toThrow();
    expect(await admin("POST", `/v1/projects/-/serviceAccounts/${encodeURIComponent(email)}:enable`)).toEqual({ status: 200, body: {} });
    expect((await admin("GET", `${accounts}/${email}`)).body).not.toHaveProperty("disabled");
    identity.mint(email, [], 60);
  });

  it.each([
    ["GET", `${accounts}/${email}`, {}, 404],
    ["POST", `${accounts}/${email}:disable`, {}, 404],
    ["POST", accounts, { accountId: "short" }, 400],
    ["POST", accounts, { accountId: "Upper-case" }, 400],
    ["POST", "/v1/projects/other/serviceAccounts", { accountId: "storage-acme0001" }, 403],
    ["DELETE", `${accounts}/${email}`, undefined, 501],
  ])("answers %s %s with %j by %i", async (method, path, body, code) => {
    const answer = await admin(method, path, body && method === "POST" ? { body } : {});
    expect(answer).toMatchObject({ status: code, body: { error: { code } } });
    expect(identity.hasAccount(email)).toBe(false);
  });

  it("requires the service's own account and the cloud-platform scope", async () => {
    identity.addAccount(email);
    const customer = identity.mint(email, [SCOPES.cloudPlatform], 60).accessToken;
    const weak = identity.mint(ACCOUNT, [SCOPES.storageRead], 60).accessToken;
    const body = { accountId: "storage-evil0001" };
    expect(await admin("POST", accounts, { token: undefined, body })).toMatchObject({ status: 401 });
    expect(await admin("POST", accounts, { token: "made-up", body })).toMatchObject({ status: 401 });
    expect(await admin("POST", accounts, { token: customer, body })).toMatchObject({ status: 403 });
    expect(await admin("POST", accounts, { token: weak, body })).toMatchObject({ status: 403 });
    expect(identity.hasAccount(`storage-evil0001@${PROJECT}.iam.gserviceaccount.com`)).toBe(false);
  });
});

/** The host and port of an outgoing request, as reported by either of Node's clients. */
function originOf(message: unknown): string {
  if (typeof message !== "object" || message === null || !("request" in message)) return "unknown";
  const { request } = message;
  if (typeof request !== "object" || request === null) return "unknown";
  if ("origin" in request) return String(request.origin).replace("http://", "");
  return "getHeader" in request && typeof request.getHeader === "function" ? String(request.getHeader("host")) : "unknown";
}
