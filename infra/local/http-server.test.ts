import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sendRaw } from "../testing/raw-request.ts";
import { createLocalServer } from "./http-server.ts";
import { type LocalServer, listenOnLoopback } from "./server.ts";

let server: LocalServer;

beforeEach(async () => {
  server = await listenOnLoopback(
    createLocalServer(async (request, response) => {
      if (request.url === "/fails") throw new Error("as this test wants");
      response.end(request.url);
    }),
  );
});

afterEach(() => server.close());

const port = () => server.address.split(":")[1];

describe("a request's target", () => {
  it.each([
    ["/a?b=%zz#c", "/a?b=%zz#c"],
    ["//[", "//["],
    ["/\\[/../x", "/\\[/../x"],
    ["http://localhost", "/"],
    ["http://127.0.0.1:1/a/../b?c", "/a/../b?c"],
    ["HTTP://127.0.0.1?a=/b", "/?a=/b"],
  ])("%s is the path %s, not normalised", async (target, path) => {
    expect(await sendRaw({ address: server.address, method: "GET", target })).toEqual({ status: 200, text: path });
  });

  it.each(["*", "x:", "a/b", "http://", "http://[/", "http://a:99999/", "ftp://localhost/"])("%s is a 400", async (target) => {
    const answer = await sendRaw({ address: server.address, method: "OPTIONS", target });
    expect(answer.status).toBe(400);
  });
});

describe("a request's host", () => {
  it.each([() => "localhost", () => `LOCALHOST:${port()}`, () => "127.0.0.1", () => `127.8.9.10:${port()}`, () => `[::1]:${port()}`])(
    "may be this machine, at any port",
    async (host) => {
      expect(await sendRaw({ address: server.address, method: "GET", target: "/", host: host() })).toMatchObject({ status: 200 });
    },
  );

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "evil.example:80@127.0.0.1", ""])(
    "%s is a 403 that says which are right",
    async (host) => {
      const answer = await sendRaw({ address: server.address, method: "GET", target: "/", host });
      expect(answer).toMatchObject({ status: 403, text: expect.stringContaining("127.0.0.1, another loopback address, or localhost") });
    },
  );

  it("is refused in a target of absolute form, too", async () => {
    expect(await sendRaw({ address: server.address, method: "GET", target: "http://evil.example/" })).toMatchObject({ status: 403 });
  });
});

it("answers 500 when its listener fails, and goes on", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  expect(await sendRaw({ address: server.address, method: "GET", target: "/fails" })).toMatchObject({ status: 500 });
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
  expect(await sendRaw({ address: server.address, method: "GET", target: "/" })).toMatchObject({ status: 200 });
});
