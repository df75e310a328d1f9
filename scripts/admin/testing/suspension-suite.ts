import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../../infra/local/server.ts";
import { admin, keyOf, listFolder, login, newCustomer, tokenOf, underTest } from "./service-under-test.ts";

/** Four subscriptions of a listing on two pages, one of them revoked earlier. */
const NAMES = ["one", "two", "three", "old"].map((id) => `projects/customers-own/locations/EU/subscriptions/${id}`);

/**
 * A cloud project whose IAM and Analytics Hub are reached through a proxy that fails: the call number `failsAt` (counted from 1) gets no
 * response. `calls` lists the calls, `active` the subscriptions that still work.
 */
async function project(uid: string, failsAt: number) {
  const { ready } = underTest();
  const calls: string[] = [];
  const active = new Set(NAMES.slice(0, 3));
  let left = failsAt;
  const server = createServer(async (request, response) => {
    const url = request.url ?? "";
    left -= 1;
    if (left === 0) return void request.socket.destroy();
    calls.push(`${request.method} ${url}`);
    const page = (names: readonly string[]) => names.map((name) => ({ name, state: active.has(name) ? "STATE_ACTIVE" : "STATE_INACTIVE" }));
    if (url.includes("/serviceAccounts/")) {
      const forwarded = await fetch(`http://${ready.metadata_host}${url}`, {
        method: request.method ?? "GET",
        headers: { authorization: request.headers.authorization ?? "" },
      });
      return void response.writeHead(forwarded.status).end(await forwarded.text());
    }
    if (url.includes(`/listings/customer_${uid}_eu:listSubscriptions`)) {
      const isFirst = !url.includes("pageToken=next");
      return void response.end(
        JSON.stringify(
          isFirst ? { subscriptions: page(NAMES.slice(0, 2)), nextPageToken: "next" } : { subscriptions: page(NAMES.slice(2)) },
        ),
      );
    }
    const revoked = NAMES.find((name) => url === `/v1/${name}:revoke`);
    if (revoked !== undefined && !active.delete(revoked)) return void response.writeHead(400).end("already revoked");
    response.writeHead(revoked === undefined ? 404 : 200).end("{}");
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  const logging = createServer((_request, response) => response.end("{}"));
  vi.stubEnv("IAM_URL", address);
  vi.stubEnv("ANALYTICS_HUB_URL", address);
  vi.stubEnv("LOGGING_URL", `http://127.0.0.1:${await listen(logging)}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    logging.close();
  });
  const run = (verb: string) => admin(["customers", verb, uid, "--project", ready.project, "--environment", "dev"]);
  return { run, calls, active };
}

/** Tests of the order of a suspension, and of its repetition after a failure at each step. */
export function suspensionSuite(): void {
  describe("customers suspend in the cloud", () => {
    it("refuses keys first, then disables accounts, then revokes subscriptions", async () => {
      const { uid } = await newCustomer();
      const { run, calls, active } = await project(uid, 0);
      expect((await run("suspend")).out).toContain("3 subscriptions in Analytics Hub revoked");
      expect(calls.map((call) => /:(?:disable|listSubscriptions|revoke)/.exec(call)?.[0])).toEqual([
        ...[":disable", ":disable", ":listSubscriptions", ":listSubscriptions"],
        ...[":revoke", ":revoke", ":revoke"],
      ]);
      expect(calls[2]).toContain(`/dataExchanges/populus_dev/listings/customer_${uid}_eu:listSubscriptions`);
      expect([...active]).toEqual([]);
      expect((await run("suspend")).out).not.toContain("subscription");
    });

    it.each([1, 2, 3, 4, 5, 6, 7])(
      "is completed by a second run after its call %i failed, and its keys are refused in between",
      async (failsAt) => {
        const customer = await newCustomer();
        const token = await tokenOf(keyOf(customer, "storage"));
        const { run, active } = await project(customer.uid, failsAt);
        expect((await run("suspend")).failure).toBeDefined();
        expect(await login(keyOf(customer, "storage"))).toBe(403);
        expect((await run("suspend")).failure).toBe(undefined);
        expect([await login(keyOf(customer, "storage")), await listFolder(customer.uid, token)]).toEqual([403, 401]);
        expect([...active]).toEqual([]);
      },
    );
  });
}
