import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { middleOfMap, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { createMap } from "../../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

const RING = [
  [24.73, 59.43],
  [24.76, 59.43],
  [24.76, 59.445],
  [24.73, 59.43],
];
/** Each look at the text waits for the page to follow the mouse. */
const PATIENCE = { timeout: 20_000, interval: 250 };
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Opens the form of a new map, with its text in view. */
async function newMap(page: Page): Promise<void> {
  await page.getByText("Draw your first one").waitFor();
  await middleOfMap(page);
  await page.getByRole("button", { name: "New map" }).click();
  await page.getByText("From a file or as text").click();
}

const wktOf = (page: Page) => page.getByLabel("WKT, longitude first").inputValue();
const pointsIn = (wkt: string) => wkt.split(",").length;

describe("the drawing tools", () => {
  it("draw a circle and a rectangle, move a corner, and take each step back", async () => {
    const { page, complaints, close } = await openConsole(browser, ready.users_base_url);
    await signIn(page, keyOf(await newCustomer()));
    await newMap(page);
    const { x, y } = await middleOfMap(page);

    await page.getByRole("button", { name: "Circle" }).click();
    await page.mouse.click(x, y);
    await page.mouse.move(x + 30, y, { steps: 4 });
    await page.mouse.click(x + 40, y);
    await page.getByText(/km², .* cells of 250 m/).waitFor();
    const circle = await wktOf(page);
    expect(pointsIn(circle)).toBeGreaterThan(20);

    await page.getByRole("button", { name: "Rectangle" }).click();
    await page.mouse.click(x - 60, y - 60);
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.click(x + 60, y + 60);
    await expect.poll(async () => pointsIn(await wktOf(page)), PATIENCE).toBe(5);
    const rectangle = await wktOf(page);

    await page.mouse.move(x + 60, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 90, { steps: 6 });
    await page.mouse.up();
    await expect.poll(() => wktOf(page), PATIENCE).not.toBe(rectangle);
    expect(pointsIn(await wktOf(page))).toBe(5);

    await page.getByRole("button", { name: "Undo" }).click();
    expect(await wktOf(page)).toBe(rectangle);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await wktOf(page)).toBe(circle);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await wktOf(page)).toBe("");
    expect(complaints).toEqual([]);
    await close();
  });

  it("take a GeoJSON file that is dropped on the map", async () => {
    const { page, close } = await openConsole(browser, ready.users_base_url);
    await signIn(page, keyOf(await newCustomer()));
    await newMap(page);
    const text = JSON.stringify({ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [RING] } });
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "area.geojson", { type: "application/geo+json" }));
      return transfer;
    }, text);
    await page.locator("canvas.maplibregl-canvas").dispatchEvent("dragover", { dataTransfer: dropped });
    await page.locator(".polygon-editor.over").waitFor();
    await page.locator("canvas.maplibregl-canvas").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByText("1.42 km²").waitFor();
    expect(await wktOf(page)).toBe("POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.43))");
    await close();
  });
});

describe("a map that somebody else changes while it is edited", () => {
  it("is not overwritten unless the person decides so", async () => {
    const customer = await newCustomer();
    const key = keyOf(customer);
    const id = await createMap(key, { name: "Two towns", type: "admin_level_2", ids: [784] });
    const { page, close } = await openConsole(browser, ready.users_base_url, {}, "#/maps");
    await signIn(page, key);
    const change = (name: string) => call("users", "PUT", `/admin/maps/${id}`, { key: keyOf(customer, "warehouse"), body: { name } });
    const stored = async () => (await call("users", "GET", `/admin/maps/${id}`, { key })).body;
    const edit = async (name: string): Promise<void> => {
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByText("1 picked; can be saved").waitFor();
    };
    await page.getByRole("link", { name: "Two towns" }).click();

    await edit("Mine");
    expect(await change("Theirs")).toMatchObject({ status: 200 });
    await page.getByRole("button", { name: "Save map" }).click();
    await page.getByText("Somebody else changed this map while you edited it").waitFor();
    expect(await stored()).toMatchObject({ name: "Theirs" });
    await page.getByRole("button", { name: "Take theirs" }).click();
    await page.getByRole("heading", { name: "Theirs" }).waitFor();

    await edit("Mine");
    expect(await change("Theirs again")).toMatchObject({ status: 200 });
    await page.getByRole("button", { name: "Save map" }).click();
    await page.getByRole("button", { name: "Save mine" }).click();
    await page.getByRole("heading", { name: "Mine" }).waitFor();
    expect(await stored()).toMatchObject({ name: "Mine" });
    await close();
  });
});
