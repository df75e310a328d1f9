import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { Client, credentials, Server, type ServiceDefinition } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listenShared } from "./port-sharing.ts";
import type { LocalServer } from "./server.ts";

const bytes = (value: Buffer) => value;
const echo = {
  Echo: {
    path: "/test.Echo/Echo",
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
} satisfies ServiceDefinition;

let http1: http.Server;
let grpc: Server;
let shared: LocalServer;

beforeEach(async () => {
  http1 = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
  });
  grpc = new Server();
  grpc.addService(echo, {
    Echo: (call: { request: Buffer }, callback: (error: null, value: Buffer) => void) => callback(null, call.request),
  });
  shared = await listenShared({ http1, grpc });
});

afterEach(() => shared.close());

function callEcho(client: Client, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest("/test.Echo/Echo", bytes, bytes, Buffer.from(text), (error, value) =>
      error ? reject(error) : resolve(String(value)),
    );
  });
}

async function withClient<T>(use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(shared.address, credentials.createInsecure());
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

describe("a shared port", () => {
  it("answers gRPC and HTTP/1 at the same time", async () => {
    const big = "x".repeat(300_000);
    const [called, put, got] = await Promise.all([
      withClient((client) => callEcho(client, big)),
      fetch(`http://${shared.address}/a`, { method: "PUT", body: big }).then((response) => response.text()),
      fetch(`http://${shared.address}/b`).then((response) => response.text()),
    ]);
    expect(called).toBe(big);
    expect(put).toBe(`PUT /a ${big}`);
    expect(got).toBe("GET /b ");
  });

  it("detects the protocol when the bytes arrive one by one and methods start alike", async () => {
    for (const method of ["PROPFIND", "POST", "GET"]) {
      const socket = net.connect(Number(shared.address.split(":")[1]), "127.0.0.1").setNoDelay(true);
      for (const byte of `${method} /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`) {
        socket.write(byte);
        await new Promise(setImmediate);
      }
      const answer: Buffer[] = [];
      for await (const chunk of socket) answer.push(chunk);
      expect(Buffer.concat(answer).toString()).toContain(`${method} /slow `);
    }
  });

  it("keeps serving after a peer resets its connection before sending anything", async () => {
    const socket = net.connect(Number(shared.address.split(":")[1]), "127.0.0.1");
    await once(socket, "connect");
    socket.resetAndDestroy();
    expect(await withClient((client) => callEcho(client, "still"))).toBe("still");
  });

  it("rejects when the port is taken", async () => {
    const port = Number(shared.address.split(":")[1]);
    await expect(listenShared({ port, http1: http.createServer(), grpc: new Server() })).rejects.toThrow("EADDRINUSE");
  });

  it("closes open connections of both protocols when closed and frees the port", async () => {
    const port = Number(shared.address.split(":")[1]);
    const idle = net.connect(port, "127.0.0.1");
    await once(idle, "connect");
    await withClient(async (client) => {
      await callEcho(client, "open");
      await shared.close();
      await once(idle, "close");
      await expect(callEcho(client, "late")).rejects.toThrow(/UNAVAILABLE/);
    });
    shared = await listenShared({ port, http1, grpc: new Server() });
    expect(shared.address).toBe(`127.0.0.1:${port}`);
  });
});
