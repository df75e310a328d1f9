import { IAMCredentialsClient } from "@google-cloud/iam-credentials";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loopbackClient } from "../../testing/engines/loopback-client.ts";
import { Identity, SCOPES } from "../identity.ts";
import type { LocalServer } from "../server.ts";
import { startIam } from "./credentials.ts";

vi.stubEnv("METADATA_SERVER_DETECTION", "none");

const ACCOUNT = "storage-acme0001@demo-local.iam.gserviceaccount.com";
const NAME = `projects/-/serviceAccounts/${ACCOUNT}`;
const START = Date.UTC(2026, 0, 5, 12);

let now: number;
let identity: Identity;
let server: LocalServer;
let client: IAMCredentialsClient;

beforeEach(async () => {
  now = START;
  identity = new Identity(() => now);
  identity.addAccount(ACCOUNT);
  server = await startIam({ identity });
  client = new IAMCredentialsClient(loopbackClient(server.address));
});

afterEach(async () => {
  await client.close();
  await server.close();
});

async function generate(request: object = {}) {
  const [answer] = await client.generateAccessToken({ name: NAME, scope: [SCOPES.storageRead], ...request });
  return { token: answer.accessToken ?? "", lifetime: Number(answer.expireTime?.seconds) - START / 1000 };
}

describe("GenerateAccessToken", () => {
  it("returns a token of that account with exactly those scopes, for an hour by default", async () => {
    const { token, lifetime } = await generate();
    expect(lifetime).toBe(3600);
    expect(identity.verify(token)).toEqual({ email: ACCOUNT, scopes: [SCOPES.storageRead] });
    now += 3600_000;
    expect(identity.verify(token)).toBeUndefined();
  });

  it("returns a token with the requested lifetime, and a new one each time", async () => {
    const [first, second] = [await generate({ lifetime: { seconds: 60 } }), await generate({ lifetime: { seconds: 60 } })];
    expect(first.lifetime).toBe(60);
    expect(second.token).not.toBe(first.token);
  });

  it("refuses a disabled account and revokes its tokens", async () => {
    const { token } = await generate();
    identity.setDisabled(ACCOUNT, true);
    await expect(generate()).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
    expect(identity.verify(token)).toBeUndefined();
  });

  it("does not know an account that was never created", async () => {
    const email = "nobody@demo-local.iam.gserviceaccount.com";
    await expect(generate({ name: `projects/-/serviceAccounts/${email}` })).rejects.toMatchObject({
      code: status.NOT_FOUND,
      details: `Not found; Gaia id not found for email ${email}`,
    });
  });

  it.each<[string, object, number]>([
    ["a lifetime over an hour", { lifetime: { seconds: 3600, nanos: 1_000_000 } }, status.INVALID_ARGUMENT],
    ["a zero lifetime", { lifetime: { seconds: 0 } }, status.INVALID_ARGUMENT],
    ["no scope", { scope: [] }, status.INVALID_ARGUMENT],
    ["an invalid scope", { scope: ["everything"] }, status.INVALID_ARGUMENT],
    ["a project in the name", { name: `projects/demo-local/serviceAccounts/${ACCOUNT}` }, status.INVALID_ARGUMENT],
    ["no name", { name: "" }, status.INVALID_ARGUMENT],
    ["delegates", { delegates: [NAME] }, status.UNIMPLEMENTED],
  ])("refuses %s", async (_, request, code) => {
    await expect(generate(request)).rejects.toMatchObject({ code });
  });
});

describe("SignBlob", () => {
  const content = Buffer.from("content ✓");
  const sign = async (name = NAME) => Buffer.from((await client.signBlob({ name, payload: content }))[0].signedBlob ?? "");

  it("returns a signature of that account over exactly that content, with the id of its key", async () => {
    const [answer] = await client.signBlob({ name: NAME, payload: content });
    const signature = Buffer.from(answer.signedBlob ?? "");
    expect(answer.keyId).toMatch(/^[0-9a-f]{40}$/);
    expect(signature).toHaveLength(256);
    expect(await identity.isSignedBy(ACCOUNT, content, signature)).toBe(true);
    expect(await identity.isSignedBy(ACCOUNT, Buffer.from("content ✗"), signature)).toBe(false);
    expect(await identity.isSignedBy(ACCOUNT, content, Buffer.alloc(256))).toBe(false);
  });

  it("signs with a key of each account's own", async () => {
    const other = "storage-acme00012@demo-local.iam.gserviceaccount.com";
    identity.addAccount(other);
    const [signature] = [await sign(), await sign(`projects/-/serviceAccounts/${other}`)];
    expect(await identity.isSignedBy(other, content, signature)).toBe(false);
  });

  it("refuses a disabled account, whose signatures are invalid until it is enabled again", async () => {
    const signature = await sign();
    identity.setDisabled(ACCOUNT, true);
    await expect(sign()).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
    expect(await identity.isSignedBy(ACCOUNT, content, signature)).toBe(false);
    identity.setDisabled(ACCOUNT, false);
    expect(await identity.isSignedBy(ACCOUNT, content, signature)).toBe(true);
  });

  it.each<[string, object, number]>([
    ["an unknown account", { name: "projects/-/serviceAccounts/nobody@demo-local.iam.gserviceaccount.com" }, status.NOT_FOUND],
    ["no payload", { payload: "" }, status.INVALID_ARGUMENT],
    ["delegates", { delegates: [NAME] }, status.UNIMPLEMENTED],
  ])("refuses %s", async (_, request, code) => {
    await expect(client.signBlob({ name: NAME, payload: content, ...request })).rejects.toMatchObject({ code });
  });
});

it("no other method is supported: they return UNIMPLEMENTED", async () => {
  await expect(client.signJwt({ name: NAME, payload: "{}" })).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  await expect(client.generateIdToken({ name: NAME, audience: "https://a" })).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});
