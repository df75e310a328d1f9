import * as v from "valibot";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { call, useKey } from "./client.ts";
import { SessionEnded } from "./problem.ts";

const ADDRESSES = {
  users_base_url: "http://users.test",
  data_base_url: "http://data.test",
  storage_url: "http://storage.test",
  export_bucket: "exports",
  tick_seconds: 300,
};
const signOut = () => useKey(undefined, () => undefined);

/** The requests to the service. */
let asked: string[];
/** Called when the last byte of an answer has come, before anybody has read it. */
let onAnswer: () => void;

beforeEach(() => {
  asked = [];
  onAnswer = () => undefined;
  vi.stubGlobal("fetch", async (address: string) => {
    if (address.endsWith("config.json")) return Response.json(ADDRESSES);
    asked.push(address);
    const answer = Response.json({ name: "Acme" });
    onAnswer();
    return answer;
  });
});
afterEach(() => vi.unstubAllGlobals());

const ask = () => call("users", "/users/me", v.object({ name: v.string() }));

it("a request has the answer of its session", async () => {
  useKey("key", () => undefined);
  expect(await ask()).toEqual({ name: "Acme" });
  expect(asked).toEqual(["http://users.test/users/me"]);
});

it("no request is sent without a key, after a sign-out or between two lines of one", async () => {
  useKey("key", () => undefined);
  const begun = ask();
  signOut();
  await expect(begun).rejects.toBeInstanceOf(SessionEnded);
  await expect(ask()).rejects.toBeInstanceOf(SessionEnded);
  expect(asked).toEqual([]);
});

it("a request of a session is not sent with the key of the next one", async () => {
  useKey("key", () => undefined);
  const begun = ask();
  signOut();
  useKey("another", () => undefined);
  await expect(begun).rejects.toBeInstanceOf(SessionEnded);
  expect(asked).toEqual([]);
});

it("an answer that came as its session ended is shown to nobody", async () => {
  useKey("key", () => undefined);
  onAnswer = signOut;
  await expect(ask()).rejects.toBeInstanceOf(SessionEnded);
});
