import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { type ConsolePage, middleOfMap, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { fire } from "../../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";
import { colourAt } from "./colour-at.ts";

/** Script and style, gzipped, before anything is shown. */
const FIRST_VIEW_BYTES_MAX = 60_000;
const OLD_TOWN = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))";
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

async function open(options?: Parameters<typeof openConsole>[2], at?: string): Promise<ConsolePage> {
  return openConsole(browser, ready.users_base_url, options, at);
}

describe("the console", () => {
  it("is served with strict headers, and its files are cached for ever by their names", async () => {
    const page = await fetch(`${ready.users_base_url}/console/`);
    expect(page.headers.get("content-security-policy")).toContain(
      `connect-src 'self' ${ready.users_base_url} ${ready.data_base_url} ${ready.storage_endpoint};`,
    );
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const [, script = ""] = /src="(\/console\/[^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(`${ready.users_base_url}${script}`)).headers.get("cache-control")).toContain("immutable");
    const statusOf = async (path: string, method = "GET") =>
      (await fetch(`${ready.users_base_url}${path}`, { method, redirect: "manual" })).status;
    expect([await statusOf("/console"), await statusOf("/console/", "POST"), await statusOf("/console/none.js")]).toEqual([308, 405, 404]);
  });

  it("serves the licences of the packages in it", async () => {
    const licences = await fetch(`${ready.users_base_url}/console/LICENSES.txt`);
    expect(licences.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await licences.text()).toMatch(/^maplibre-gl \S+ \(BSD-3-Clause\)$/m);
  });

  it("has a first view of at most 60 kB of script and style", async () => {
    const page = await (await fetch(`${ready.users_base_url}/console/`)).text();
    const names = [...page.matchAll(/(?:<script[^>]* src|<link rel="(?:stylesheet|modulepreload)" href)="([^"]+)"/g)].map(
      ([, name]) => name,
    );
    const sizes = await Promise.all(
      names.map(async (name) => gzipSync(Buffer.from(await (await fetch(`${ready.users_base_url}${name}`)).arrayBuffer())).length),
    );
    expect(names.length).toBeGreaterThanOrEqual(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_VIEW_BYTES_MAX);
  });

  it("lets a planner draw an area, save it, and see how many people are in it", async () => {
    const customer = await newCustomer();
    const { page, complaints, close } = await open();
    await signIn(page, keyOf(customer));
    await page.getByText("Draw your first one").waitFor();
    const { x, y } = await middleOfMap(page);
    await page.getByRole("button", { name: "New map" }).click();
    // The names of the boundaries are there when the map is.
    await vi.waitFor(async () => expect(await colourAt(page, x, y)).toEqual([247, 246, 242]), { timeout: 60_000, interval: 250 });
    await page.getByRole("button", { name: "Rectangle" }).click();
    await page.mouse.click(x - 20, y - 20);
    await page.mouse.move(x + 10, y + 10);
    await page.mouse.click(x + 20, y + 20);
    await page.getByText(/km², .* cells of 250 m/).waitFor();
    const [red] = await colourAt(page, x, y);
    expect(red, "the drawn area has a colour").toBeLessThan(240);

    await page.getByText("From a file or as text").click();
    const wkt = page.getByLabel("WKT, longitude first");
    expect(await wkt.inputValue()).toMatch(/^POLYGON\(\(2\d\.\d+ 5\d\.\d+, /);
    await wkt.fill("POLYGON((24.73 59.43, 24.76 59.445, 24.76 59.43, 24.73 59.445, 24.73 59.43))");
    await wkt.blur();
    await page.locator(".faults").waitFor();
    expect(await page.getByRole("button", { name: "Save map" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(/km², .* cells of 250 m/).waitFor();
    await wkt.fill(OLD_TOWN);
    await wkt.blur();
    await page.getByText("2.84 km²").waitFor();
    await page.getByRole("button", { name: "Save map" }).click();
    await page.getByText("Give the map a name").waitFor();
    await page.getByLabel("Name").fill("Vanalinn");
    await page.getByRole("button", { name: "Save map" }).click();

    await page.getByRole("heading", { name: "Vanalinn" }).waitFor();
    await page.getByRole("switch", { name: "Count people in real time" }).click();
    expect(await fire()).toBe(200);
    await page.locator(".big.number").waitFor();
    expect(await page.locator(".big.number").textContent()).toMatch(/^[\d,]+$/);
    await page.getByText("Times of Europe/Tallinn (GMT").waitFor();

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Name").fill("Old town");
    await page.getByRole("button", { name: "Save map" }).click();
    await page.getByRole("heading", { name: "Old town" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("its headcounts stop").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Old town is deleted").waitFor();
    expect(await call("users", "GET", "/admin/maps", { key: keyOf(customer) })).toMatchObject({ body: { maps: [] } });
    expect(complaints).toEqual([]);
    await close();
  });
});

describe("a key", () => {
  it("that is malformed or unknown does not sign in, and one that is revoked while in use signs out", async () => {
    const admin = { service: "storage", scopes: [], machineAccountAdmin: true } as const;
    const customer = await newCustomer({ keys: { admin, planner: { ...admin, machineAccountAdmin: false } } });
    const { page, close } = await open({}, "#/keys");
    await page.getByLabel("API key").fill("abc");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("An API key has 64 characters").waitFor();
    await page.getByLabel("API key").fill("0".repeat(64));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The service does not know this key").waitFor();
    await signIn(page, keyOf(customer, "planner"));
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie, location.href])).toEqual([
      0,
      0,
      "",
      expect.not.stringContaining(keyOf(customer, "planner")),
    ]);
    await call("users", "DELETE", `/users/${customer.uid}/machine-accounts/planner`, { key: keyOf(customer, "admin") });
    await page.evaluate(() => {
      location.hash = "#/jobs";
    });
    await page.getByText("You were signed out").waitFor();
    await close();
  });
});
