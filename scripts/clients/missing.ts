import type { Client } from "../../infra/testing/clients/client.ts";

/** Returns a line for each client that is not on this machine, with the reason. Installs what can be installed. */
export async function missingClients(asked: readonly Client[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, tool } of asked) {
    const found = await tool.find();
    if (!found.found) lines.push(`Not run with the client ${name}: ${found.missing}`);
  }
  return lines;
}
