import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import * as v from "valibot";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { baseMapAt, consoleServer } from "../../../infra/local/console.ts";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { middleOfMap, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";
import { colourAt } from "./colour-at.ts";
import { oneTileArchive } from "./one-tile-archive.ts";

const Addresses = v.object({
  users_base_url: v.string(),
  data_base_url: v.string(),
  storage_url: v.string(),
  export_bucket: v.string(),
  tick_seconds: v.number(),
});
/** The colours of the palette, and that of the style document below. */
const LAND = [247, 246, 242];
const WATER = [220, 230, 236];
const STYLE = { version: 8, sources: {}, layers: [{ id: "ground", type: "background", paint: { "background-color": "#c83c28" } }] };
const RED = [200, 60, 40];
const PATIENCE = { timeout: 60_000, interval: 250 };

const servers: Server[] = [];
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Serves on a port of its own. Returns the address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const { port } = v.parse(
    v.custom<AddressInfo>((value) => v.is(v.object({ port: v.number() }), value)),
    server.address(),
  );
  return `http://127.0.0.1:${port}`;
}

/** A host of tiles, as an operator has one: it answers ranges, and pages of any origin. */
function hostOf(files: Readonly<Record<string, Buffer>>): RequestListener {
  return ({ url = "", headers }, response) => {
    const content = files[url];
    const open = { "access-control-allow-origin": "*", "accept-ranges": "bytes" };
    if (!content) return void response.writeHead(404, open).end();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (from === undefined) return void response.writeHead(200, open).end(content);
    const part = content.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, { ...open, "content-range": `bytes ${from}-${Number(from) + part.length - 1}/${content.length}` }).end(part);
  };
}

/** Opens the console with a base map at an address. Returns the colour of the sea north of Estonia, and what is told. */
async function seaWith(baseMap: string) {
  const config = v.parse(Addresses, await (await fetch(`${ready.users_base_url}/console/config.json`)).json());
  const address = await serve(consoleServer({ ...config, ...baseMapAt(baseMap) }));
  const opened = await openConsole(browser, address);
  await signIn(opened.page, keyOf(await newCustomer()));
  const { x, y } = await middleOfMap(opened.page);
  return { ...opened, sea: () => colourAt(opened.page, x, y - 150) };
}

describe("the base map of an operator", () => {
  it("is a PMTiles archive, drawn in the colours of the console", async () => {
    const host = await serve(hostOf({ "/base.pmtiles": oneTileArchive("earth") }));
    const { sea, complaints, close } = await seaWith(`${host}/base.pmtiles`);
    await expect.poll(sea, PATIENCE).toEqual(LAND);
    expect(complaints).toEqual([]);
    await close();
  });

  it("is a style document", async () => {
    const host = await serve(hostOf({ "/style.json": Buffer.from(JSON.stringify(STYLE)) }));
    const { sea, complaints, close } = await seaWith(`${host}/style.json`);
    await expect.poll(sea, PATIENCE).toEqual(RED);
    expect(complaints).toEqual([]);
    await close();
  });

  it("gives way to the built-in one if it cannot be loaded, and the page says so", async () => {
    const host = await serve(hostOf({}));
    const { page, sea, close } = await seaWith(`${host}/style.json`);
    await page.getByText(/The configured base map cannot be loaded \(127\.0\.0\.1:\d+ answered 404\)/).waitFor();
    await expect.poll(sea, PATIENCE).toEqual(WATER);
    await close();
  });
});
