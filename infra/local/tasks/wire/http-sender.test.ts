import { once } from "node:events";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RecordingTarget, startRecordingTarget } from "../../../testing/engines/recording-target.ts";
import { HttpSender } from "./http-sender.ts";

let sender: HttpSender;
let target: RecordingTarget;

beforeEach(async () => {
  sender = new HttpSender();
  target = await startRecordingTarget();
});

afterEach(async () => {
  sender.close();
  await target.close();
});

describe("a sent request", () => {
  it("has the status and Retry-After of its response; redirects are not followed", async () => {
    target.respond((_, index) =>
      index === 0 ? { status: 503, headers: { "retry-after": "3" } } : { status: 302, headers: { location: "/" } },
    );
    const send = () => sender.send({ url: target.url, method: "POST", headers: { a: "b" }, body: "x" }).outcome;
    expect(await send()).toEqual({ kind: "answered", status: 503, retryAfter: "3" });
    expect(await send()).toEqual({ kind: "answered", status: 302, retryAfter: undefined });
    expect(target.requests).toHaveLength(2);
  });

  it("is unanswered if it is aborted, refused or its response is cut off", async () => {
    target.respond(() => new Promise(() => {}));
    const silent = sender.send({ url: target.url, method: "GET", headers: {} });
    await target.received(1);
    silent.abort();
    expect(await silent.outcome).toMatchObject({ kind: "unanswered" });
    const cutting = net
      .createServer((socket) => socket.resume().end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"))
      .listen(0, "127.0.0.1");
    await once(cutting, "listening");
    const bound = cutting.address();
    const url = `http://127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}`;
    expect(await sender.send({ url, method: "GET", headers: {} }).outcome).toMatchObject({ kind: "unanswered" });
    cutting.close();
    await once(cutting, "close");
    expect(await sender.send({ url, method: "GET", headers: {} }).outcome).toMatchObject({ kind: "unanswered" });
  });

  it("is retried when the server reset the kept-alive connection that it used", async () => {
    let connections = 0;
    let requests = 0;
    const resetting = net.createServer((socket) => {
      const first = ++connections === 1;
      socket.on("data", () => {
        requests++;
        if (first && requests === 2) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      });
    });
    resetting.listen(0, "127.0.0.1");
    await once(resetting, "listening");
    const bound = resetting.address();
    const url = `http://127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}`;
    for (let index = 0; index < 2; index++)
      expect(await sender.send({ url, method: "POST", headers: {}, body: "x" }).outcome).toMatchObject({ kind: "answered", status: 200 });
    expect([connections, requests]).toEqual([2, 3]);
    sender.close();
    resetting.close();
  });
});
