import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { middleOfMap, openConsole, type Point, signIn } from "../../../infra/testing/browser/console-page.ts";
import { createMap } from "../../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

const RING = [
  [24.73, 59.43],
  [24.76, 59.43],
  [24.76, 59.445],
  [24.73, 59.43],
];
const AROUND_A_CELL =
  "POLYGON((24.70282562 59.42576364, 24.70482562 59.42576364, 24.70482562 59.42776364, 24.70282562 59.42776364, 24.70282562 59.42576364))";
const IN_RIGA = "POLYGON((24.1 56.945, 24.112 56.945, 24.112 56.951, 24.1 56.951, 24.1 56.945))";
/** Each look at the text waits for the page to follow the mouse. */
const PATIENCE = { timeout: 60_000, interval: 250 };
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

async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
}

/** Draws a square corner by corner, takes one corner back, moves another, adds one between two and removes it; then takes all of it back. */
async function drawByHand(page: Page, { x, y }: Point): Promise<void> {
  const undo = page.getByRole("button", { name: "Undo" });
  const corner = async (dx: number, dy: number): Promise<void> => {
    await page.mouse.move(x + dx, y + dy, { steps: 3 });
    await page.mouse.click(x + dx, y + dy);
  };
  await corner(-40, -40);
  await corner(40, -40);
  await corner(90, 90);
  await undo.click();
  await corner(40, 40);
  await corner(-40, 40);
  await corner(-40, -40);
  await expect.poll(async () => pointsIn(await wktOf(page)), PATIENCE).toBe(5);
  const square = await wktOf(page);
  await page.getByText(/km², .* cells of 250 m/).waitFor();

  // A tool that is pressed twice draws nothing: the shape can be edited again.
  await page.getByRole("button", { name: "Polygon" }).click();
  await page.getByRole("button", { name: "Polygon" }).click();
  await drag(page, { x: x + 40, y: y + 40 }, { x: x + 70, y: y + 60 });
  await expect.poll(() => wktOf(page), PATIENCE).not.toBe(square);
  const moved = await wktOf(page);
  expect(pointsIn(moved)).toBe(5);
  await drag(page, { x, y: y - 40 }, { x, y: y - 60 });
  await expect.poll(async () => pointsIn(await wktOf(page)), PATIENCE).toBe(6);

  const added = await wktOf(page);
  await page.mouse.click(x, y - 60, { button: "right" });
  await expect.poll(() => wktOf(page), PATIENCE).toBe(moved);

  for (const before of [added, moved, square, ""]) {
    await undo.click();
    await expect.poll(() => wktOf(page), PATIENCE).toBe(before);
  }
  expect(await undo.isDisabled()).toBe(true);
}

/** Clicks two municipalities together and one of them out again, and a cell of the grid in and out. */
async function pickByClicks(page: Page): Promise<void> {
  const picked = () => page.locator(".chips li").allTextContents();
  /** Clicks what tells its name under the pointer: the map has drawn it then. */
  const click = async (at: Point): Promise<void> => {
    const nameAt = async () => {
      await page.mouse.move(at.x + 1, at.y);
      await page.mouse.move(at.x, at.y);
      return page.locator(".tooltip").count();
    };
    await expect.poll(nameAt, PATIENCE).toBe(1);
    await page.mouse.click(at.x, at.y);
  };
  const { x, y } = await middleOfMap(page);
  await page.getByText("Municipalities", { exact: true }).click();
  await click({ x, y });
  await click({ x: x + 90, y: y + 10 });
  await page.getByText("2 picked; can be saved").waitFor();
  const [, second = ""] = await picked();
  await click({ x, y });
  await expect.poll(picked, PATIENCE).toEqual([second]);

  // The text brings the map to the middle of a cell.
  await page.getByText("A drawn area", { exact: true }).click();
  await page.getByText("From a file or as text").click();
  await page.getByLabel("WKT, longitude first").fill(AROUND_A_CELL);
  await page.getByLabel("WKT, longitude first").blur();
  await page.getByText(/km², .* cells of 250 m/).waitFor();
  await page.getByText("1 km cells", { exact: true }).click();
  await click({ x, y });
  await expect.poll(picked, PATIENCE).toEqual([expect.stringContaining("1kmN4122E5150")]);
  await click({ x, y });
  await expect.poll(picked, PATIENCE).toEqual([]);

  // Cells of 250 m are together in Latvia.
  await page.getByLabel("Country").selectOption({ label: "Latvia" });
  await page.getByText("A drawn area", { exact: true }).click();
  await page.getByText("From a file or as text").click();
  await page.getByLabel("WKT, longitude first").fill(IN_RIGA);
  await page.getByLabel("WKT, longitude first").blur();
  await page.getByText(/km², .* cells of 250 m/).waitFor();
  await page.getByText("250 m cells", { exact: true }).click();
  await click({ x, y });
  await click({ x: x + 150, y });
  await page.getByText("2 picked; can be saved").waitFor();
  expect(new Set(await picked()).size).toBe(2);
}

describe("the drawing tools", () => {
  it("draw a circle, a rectangle and a polygon, move a corner, and take each step back; areas and cells are picked by clicks", async () => {
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
    expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);

    await drawByHand(page, { x, y });
    await pickByClicks(page);
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
    await page.getByLabel("WKT, longitude first").fill("POLYGON((24.7");
    await page.locator("canvas.maplibregl-canvas").dispatchEvent("dragover", { dataTransfer: dropped });
    await page.locator(".polygon-editor.over").waitFor();
    expect(await wktOf(page), "what is typed stays while the page changes").toBe("POLYGON((24.7");
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
