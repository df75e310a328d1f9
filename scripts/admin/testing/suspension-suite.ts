import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../../infra/local/server.ts";
import { admin, keyOf, listFolder, login, newCustomer, tokenOf, underTest } from "./service-under-test.ts";

/** Four subscriptions of a listing on two pages, one of them revoked earlier. */
const NAMES = ["one", "two", "three", "old"].map((id) => `projects/customers-own/locations/EU/subscriptions/${id}`);

/**
 * A cloud project whose IAM and Analytics Hub are reached through a proxy that fails: the call number `failsAt` (counted from 1) never
 * arrives. `loseAnswer` has the call of a number from then on take effect and get no response, as when the command is killed while it
 * waits. `before` runs before each call arrives. `calls` lists the calls, `active` the subscriptions that still work.
 */
async function project(uid: string, failsAt: number, before: (call: string) => Promise<void> = async () => undefined) {
  const { ready } = underTest();
  const calls: string[] = [];
  const active = new Set(NAMES.slice(0, 3));
  let left = failsAt;
  let unanswered = 0;
  const server = createServer(async (request, response) => {
    const url = request.url ?? "";
    left -= 1;
    unanswered -= 1;
    const isLost = unanswered === 0;
    const answer = (status: number, text: string): void => {
      if (isLost) request.socket.destroy();
      else response.writeHead(status).end(text);
    };
    if (left === 0) return void request.socket.destroy();
    calls.push(`${request.method} ${url}`);
    await before(`${request.method} ${url}`);
    const page = (names: readonly string[]) => names.map((name) => ({ name, state: active.has(name) ? "STATE_ACTIVE" : "STATE_INACTIVE" }));
    if (url.includes("/serviceAccounts/")) {
      const forwarded = await fetch(`http://${ready.metadata_host}${url}`, {
        method: request.method ?? "GET",
        headers: { authorization: request.headers.authorization ?? "" },
      });
      return answer(forwarded.status, await forwarded.text());
    }
    if (url.includes(`/listings/customer_${uid}_eu:listSubscriptions`)) {
      const isFirst = !url.includes("pageToken=next");
      return answer(
        200,
        JSON.stringify(
          isFirst ? { subscriptions: page(NAMES.slice(0, 2)), nextPageToken: "next" } : { subscriptions: page(NAMES.slice(2)) },
        ),
      );
    }
    const revoked = NAMES.find((name) => url === `/v1/${name}:revoke`);
    if (revoked !== undefined && !active.delete(revoked)) return answer(400, "already revoked");
    answer(revoked === undefined ? 404 : 200, "{}");
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  const logging = createServer((_request, response) => response.end("{}"));
  vi.stubEnv("IAM_URL", address);
  vi.stubEnv("ANALYTICS_HUB_URL", address);
  vi.stubEnv("FIRESTORE_ADMIN_URL", ready.firestore_admin_endpoint);
  vi.stubEnv("LOGGING_URL", `http://127.0.0.1:${await listen(logging)}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    logging.close();
  });
  const run = (verb: string) => admin(["customers", verb, uid, "--project", ready.project, "--environment", "dev"]);
  const loseAnswer = (number: number): void => {
    unanswered = number;
  };
  return { run, calls, active, loseAnswer };
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

    /** Runs a command, and the other one whole before the call of the first that matches arrives. Then tells what each said and what holds. */
    async function atOnce(verb: "suspend" | "resume", other: "suspend" | "resume", call: RegExp) {
      const customer = await newCustomer();
      const token = await tokenOf(keyOf(customer, "storage"));
      if (verb === "resume") expect((await admin(["customers", "suspend", customer.uid])).failure).toBe(undefined);
      let second: Promise<{ readonly failure: string | undefined }> | undefined;
      const { run } = await project(customer.uid, 0, async (made) => {
        if (second !== undefined || !call.test(made)) return;
        second = run(other);
        await second;
      });
      const first = await run(verb);
      return {
        ...{ first: first.failure, second: (await second)?.failure },
        holds: [await login(keyOf(customer, "storage")), await listFolder(customer.uid, token)],
      };
    }

    it.each([/storage-.*:disable/, /warehouse-.*:disable/])(
      "leaves keys and tokens as a resumption at the same moment wants them, and says so (at %s)",
      async (call) => {
        const { first, second, holds } = await atOnce("suspend", "resume", call);
        expect([second, holds]).toEqual([undefined, [200, 200]]);
        expect(first).toMatch(
          /Somebody else resumed A test's customer meanwhile, so it is not suspended: npm run admin -- customers suspend/,
        );
      },
    );

    it.each([/storage-.*:enable/, /warehouse-.*:enable/, /GET .*storage-/])(
      "holds against a resumption that began before it, and the other one is told (at %s)",
      async (call) => {
        const { first, second, holds } = await atOnce("resume", "suspend", call);
        expect([second, holds]).toEqual([undefined, [403, 401]]);
        expect(first).toMatch(
          /Somebody else suspended A test's customer meanwhile, so it stays suspended: npm run admin -- customers resume/,
        );
      },
    );

    it.each([1, 2, 3, 4, 5, 6, 7])(
      "is completed by another run after its call %i failed, and after one got no answer, and its keys are refused in between",
      async (failsAt) => {
        const customer = await newCustomer();
        const token = await tokenOf(keyOf(customer, "storage"));
        const { run, active, loseAnswer } = await project(customer.uid, failsAt);
        expect((await run("suspend")).failure).toBeDefined();
        expect(await login(keyOf(customer, "storage"))).toBe(403);
        // A run has at least five calls: what is revoked is not revoked again.
        loseAnswer(Math.min(failsAt, 5));
        expect((await run("suspend")).failure).toBeDefined();
        expect((await run("suspend")).failure).toBe(undefined);
        expect([await login(keyOf(customer, "storage")), await listFolder(customer.uid, token)]).toEqual([403, 401]);
        expect([...active]).toEqual([]);
      },
    );
  });
}
