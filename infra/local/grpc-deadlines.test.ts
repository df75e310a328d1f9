import { Client, credentials, type Deadline, Server, type ServerUnaryCall } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bindLoopback } from "./tasks/wire/grpc-service.ts";

const bytes = (value: Buffer) => value;
const path = "/test.Clock/Tell";
const DAY = 86_400_000;
let server: Server;
let client: Client;

beforeAll(async () => {
  server = new Server();
  const method = { requestStream: false, responseStream: false, requestSerialize: bytes, requestDeserialize: bytes } as const;
  server.addService(
    { Tell: { path, ...method, responseSerialize: bytes, responseDeserialize: bytes } },
    {
      Tell: (call: ServerUnaryCall<Buffer, Buffer>, callback: (error: null, value: Buffer) => void) =>
        callback(null, Buffer.from(String(Number(call.getDeadline())))),
    },
  );
  client = new Client(await bindLoopback(server, 0), credentials.createInsecure());
});

afterAll(() => {
  client.close();
  server.forceShutdown();
});

/** Calls with a deadline. Returns how far away it is for the server, in days. */
function days(deadline: Deadline): Promise<number> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), { deadline }, (error, value) =>
      error ? reject(error) : resolve((Number(value) - Date.now()) / DAY),
    );
  });
}

it.each([
  [1, 1],
  [24, 24],
  // As many milliseconds are negative in 32 bits.
  [30, 24.855],
  [55, 24.855],
  [100_000, 24.855],
])("a deadline in %d days is one in %d for the server", async (far, told) => {
  expect(await days(new Date(Date.now() + far * DAY))).toBeCloseTo(told, 1);
});

it("a call without a deadline has none", async () => {
  expect(await days(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});
