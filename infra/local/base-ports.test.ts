import { createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { basePorts, portRefused } from "./base-ports.ts";
import { listen } from "./server.ts";

const server = createServer();
afterEach(() => server.close());

it("names a port that another program has", async () => {
  const port = await listen(server);
  await expect(basePorts(port)).rejects.toThrow(`Port ${port} is taken (--port ${port} needs ${port} and ${port + 1})`);
});

it("tells a port that this user may not listen on from one that is taken", () => {
  expect(portRefused(81, 80, "EACCES")).toBe(
    "This user may not listen on port 81 (--port 80 needs 80 and 81). Choose a --port from 1024, or omit it",
  );
});

it("names the error of a system that refuses a port for another reason", () => {
  expect(portRefused(9000, 9000, "EADDRNOTAVAIL")).toContain("Port 9000 of 127.0.0.1 cannot be listened on: EADDRNOTAVAIL");
});
