import { expect, it } from "vitest";
import { parseConfig } from "../runtime/config.ts";
import { bigqueryClient } from "./bigquery-client.ts";

const environment = {
  GOOGLE_CLOUD_PROJECT: "populus-clients",
  ENVIRONMENT: "local",
  EXPORT_BUCKET: "exports",
  BIGQUERY_URL: "http://127.0.0.1:1",
  ACCESS_TOKEN: "token-of-one",
};
const of = (changes: Partial<typeof environment>, location?: string) =>
  bigqueryClient(parseConfig({ ...environment, ...changes }), location === undefined ? {} : { location });

it("a process has one client for an account and a place", () => {
  expect(of({}, "EU")).toBe(of({}, "EU"));
  expect(of({})).toBe(of({}));
});

it("accounts, projects, addresses and places do not share one", async () => {
  const clients = [
    of({}),
    of({}, "EU"),
    of({ ACCESS_TOKEN: "token-of-another" }),
    of({ GOOGLE_CLOUD_PROJECT: "populus-others" }),
    of({ BIGQUERY_URL: "http://127.0.0.1:2" }),
  ];
  expect(new Set(clients).size).toBe(clients.length);
  expect(await clients[0]?.authClient.getAccessToken()).toBe("token-of-one");
  expect(await clients[2]?.authClient.getAccessToken()).toBe("token-of-another");
});
