import { createServer } from "node:net";

/** Returns a port of 127.0.0.1 on which nobody listens now. Another process may take it before the caller does. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === "string") reject(new Error("a listening socket has no port"));
        else resolve(address.port);
      });
    });
  });
}
