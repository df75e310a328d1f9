import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyPreparedData } from "../prepared-data.ts";
import { clients, quickClients } from "./catalogue.ts";
import { type ClientsService, runCheck, startForClients } from "./run-clients.ts";
import { allSnippets } from "./snippets.ts";

const found = await Promise.all(quickClients.map(async (client) => ({ client, tool: await client.tool.find() })));

it("every snippet of a page names a client that runs it", () => {
  const names = clients.map(({ name }) => name);
  expect(allSnippets().filter(({ client }) => !names.includes(client))).toEqual([]);
});

it("no two clients, and no two checks of a client, have one name", () => {
  const names = clients.flatMap(({ name, checks }) => [name, ...checks.map((check) => `${name}: ${check.name}`)]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe("clients that customers use", () => {
  let service: ClientsService;
  let data: string | undefined;

  beforeAll(async () => {
    if (found.every(({ tool }) => !tool.found)) return;
    data = join(mkdtempSync(join(tmpdir(), "populus-clients-data-")), "data");
    await copyPreparedData(data);
    service = await startForClients(["--data", data]);
  });

  afterAll(async () => {
    await service?.stop();
    if (data !== undefined) rmSync(join(data, ".."), { recursive: true });
  });

  describe.each(found)("$client.name", ({ client, tool }) => {
    if (tool.found)
      it.each(client.checks.filter(({ quick }) => quick))("$name", async (check) => {
        expect((await runCheck(client, check, service.context)).failure).toBeUndefined();
      });
    else it(`is not here: ${tool.missing}`, ({ skip }) => skip(tool.missing));
  });
});
