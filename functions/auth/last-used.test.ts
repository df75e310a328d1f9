import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { serveInProcess } from "../../infra/testing/in-process.ts";
import { keyOf, newCustomer } from "../../infra/testing/service.ts";
import { MachineAccountListResponse } from "../../shared/accounts/machine-account-schemas.ts";
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
