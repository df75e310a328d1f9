import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fillDisk, mountSmallDisk, unmount } from "../testing/engines/small-disk.ts";
import { type PersistentService, type Reply, startPersistent } from "../testing/persistent-service.ts";
import { copyPreparedData } from "../testing/prepared-data.ts";

const NO_ROOM = /^Starting [^\n]*\nCannot start: No space left for the data in [^\n]*: its disk is full\. [^\n]*\n$/;
const Token = v.object({ access_token: v.string() });
const List = v.object({ maps: v.array(v.object({ id: v.string() })) });
const Saved = v.object({ id: v.string() });
const MEBIBYTE = 1024 * 1024;

let root: string;
let data: string;
const running: PersistentService[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "populus-full-"));
  data = join(root, "data");
});

afterEach(async () => {
  for (const service of running.splice(0)) await service.kill();
  unmount(root);
  rmSync(root, { recursive: true });
});

async function start(shell = ""): Promise<PersistentService> {
  const service = await startPersistent(data, { args: ["--no-schedule"], shell });
  running.push(service);
  await service.filled();
  return service;
}

async function stop(): Promise<void> {
  for (const service of running.splice(0)) await service.stop();
}

function draw(service: PersistentService): Promise<Reply> {
  const geometry = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))";
  const body = { name: "map", type: "custom_polygon", geometry };
  const key = service.ready.customers[0]?.keys.storage ?? "";
  return service.request(`${service.ready.users_base_url}/admin/maps`, { key, body });
}

async function maps(service: PersistentService): Promise<string[]> {
  const key = service.ready.customers[0]?.keys.storage ?? "";
  const { body } = await service.request(`${service.ready.users_base_url}/admin/maps?limit=100`, { key });
  return v.parse(List, body).maps.map(({ id }) => id);
}

describe("with a limit on file sizes", () => {
  it("an object that does not fit is refused with 503 and leaves nothing; a smaller one is accepted, and the large one once there is space", async () => {
    await copyPreparedData(data);
    // In units of 1,024 bytes. The sample warehouse fits.
    const service = await start("ulimit -f 65536;");
    const { metadata_host: metadata, storage_endpoint: storage } = service.ready;
    const url = `http://${metadata}/computeMetadata/v1/instance/service-accounts/default/token`;
    const token = v.parse(Token, await (await fetch(url, { headers: { "metadata-flavor": "Google" } })).json()).access_token;
    const headers = { authorization: `Bearer ${token}` };
    const upload = (name: string, bytes: number) =>
      fetch(`${storage}/upload/storage/v1/b/local-exports/o?uploadType=media&name=${name}`, {
        method: "POST",
        headers,
        body: Buffer.alloc(bytes),
      });
    const names = async () => {
      const list = v.object({ items: v.optional(v.array(v.object({ name: v.string() })), []) });
      const answer: unknown = await (await fetch(`${storage}/storage/v1/b/local-exports/o`, { headers })).json();
      return v.parse(list, answer).items.map(({ name }) => name);
    };
    expect((await upload("large", 70 * MEBIBYTE)).status).toBe(503);
    expect(await names()).toEqual([]);
    expect((await upload("small", MEBIBYTE)).status).toBe(200);
    expect(await names()).toEqual(["small"]);
    const before = await maps(service);
    const { status, body } = await draw(service);
    const after = [...before, v.parse(Saved, body).id].sort();
    expect([status, (await maps(service)).sort()]).toEqual([201, after]);
    await stop();
    await expect(start("ulimit -f 1024;")).rejects.toThrow(NO_ROOM);
    expect((await maps(await start())).sort()).toEqual(after);
  });
});

describe("on a full disk", () => {
  it("changes are refused, reads continue, and no acknowledged write is lost", async (context) => {
    if (!mountSmallDisk(root, 160)) context.skip("this machine does not allow mounting a disk");
    await copyPreparedData(data);
    const service = await start();
    const acknowledged = await maps(service);
    const first = await draw(service);
    acknowledged.push(v.parse(Saved, first.body).id);
    const filler = join(root, "filler");
    fillDisk(filler, root);
    let refused: Reply | undefined;
    // The free rest of each file's last block still accepts some writes.
    for (let tries = 0; tries < 200 && refused === undefined; tries++) {
      const reply = await draw(service);
      if (reply.status === 201) acknowledged.push(v.parse(Saved, reply.body).id);
      else refused = reply;
    }
    expect(refused?.status).toBe(503);
    expect((await maps(service)).sort()).toEqual([...acknowledged].sort());
    await stop();
    await expect(start()).rejects.toThrow(NO_ROOM);
    rmSync(filler);
    const again = await start();
    expect((await maps(again)).sort()).toEqual([...acknowledged].sort());
    expect((await draw(again)).status).toBe(201);
  });
});
