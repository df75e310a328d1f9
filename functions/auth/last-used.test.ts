import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { serveInProcess } from "../../infra/testing/in-process.ts";
import { keyOf, newCustomer } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";
import { MachineAccountListResponse } from "../../shared/accounts/machine-account-schemas.ts";
import { usageFirestore } from "../../shared/google/firestore.ts";
import { config } from "../../shared/runtime/config.ts";
import list from "../machine-accounts/list.ts";

const admin = { service: "storage", scopes: [], machineAccountAdmin: true } as const;

describe("the last use of a key", () => {
  it("is recorded at its first use and then every five minutes, not at each request", async () => {
    const customer = await newCustomer({ keys: { admin } });
    let now = new Date("2030-01-01T00:00:00Z");
    const served = await serveInProcess({ endpoint: list, config: config(), now: () => now });
    const noted = async (time: string) => {
      now = new Date(time);
      const { body } = await served.call({ key: keyOf(customer, "admin"), path: `/users/${customer.uid}/machine-accounts/list` });
      return v.parse(MachineAccountListResponse, body).machineAccounts[0]?.lastUsedAt;
    };
    await noted("2030-01-01T00:00:00Z");
    expect(await noted("2030-01-01T00:04:59Z")).toBe("2030-01-01T00:00:00.000Z");
    await noted("2030-01-01T00:05:00Z");
    expect(await noted("2030-01-01T00:09:00Z")).toBe("2030-01-01T00:05:00.000Z");
    await served.close();
  });
});

describe("a use from a new network", () => {
  it("after 30 quiet days is recorded at once and told in the audit, once", async () => {
    const customer = await newCustomer({ keys: { admin } });
    const key = keyOf(customer, "admin");
    const path = `/users/${customer.uid}/machine-accounts/list`;
    let now = new Date("2030-01-01T00:00:00Z");
    const seenAt = new Date("2029-12-31T23:59:00Z");
    const usual = { networks: [{ network: "203.0.113.0/24", seenAt }], newNetworkAt: new Date("2029-12-01T00:00:00Z"), lastUsedAt: seenAt };
    const use = { ...usual, keyHash: keyHash(config().environment, key), lastUsedFrom: { address: "203.0.113.7", client: "curl" } };
    await usageFirestore(config()).doc(`customers/${customer.uid}/keyUses/admin`).set(use);
    const served = await serveInProcess({ endpoint: list, config: config(), now: () => now });
    const ask = async () => (await served.call({ key, path, headers: { "user-agent": "curl/8.7.1" } })).body;
    await ask();
    now = new Date("2030-01-01T00:01:00Z");
    const { machineAccounts } = v.parse(MachineAccountListResponse, await ask());
    expect(machineAccounts).toMatchObject([
      { lastUsedAt: "2030-01-01T00:00:00.000Z", lastUsedFrom: { address: "127.0.0.1", client: "curl" } },
    ]);
    await served.close();
    const told = served.logged.filter((line) => line.includes("key.network")).map((line): unknown => JSON.parse(line));
    expect(told).toMatchObject([
      {
        severity: "NOTICE",
        audit: { action: "key.network", uid: customer.uid, subject: "127.0.0.0/24", actor: { keyLabel: "admin" }, client: "curl" },
      },
    ]);
  });
});
