import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { middleOfMap, openConsole } from "../../../infra/testing/browser/console-page.ts";
import { fingersOn } from "../../../infra/testing/browser/fingers.ts";
import { keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

/** As wide as a phone's, and so high that nothing scrolls while it is touched. */
const PHONE = { viewport: { width: 390, height: 1400 }, hasTouch: true, isMobile: true };
/** Each look at the text waits for the page to follow the fingers. */
const PATIENCE = { timeout: 60_000, interval: 100 };
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const wktOf = (page: Page) => page.getByLabel("WKT, longitude first").inputValue();
const cornersIn = (wkt: string) => wkt.split(",").length - 1;
/** A polygon's text up to the end of its first corner. */
const firstOf = (wkt: string) => wkt.slice(0, wkt.indexOf(",") + 1);
/** How far each corner is east of the first one, in hundredths of a degree. */
function breadths(wkt: string): number[] {
  const [west = 0, ...others] = [...wkt.matchAll(/([\d.]+) [\d.]+/g)].map(([, longitude]) => Number(longitude));
  return others.map((longitude) => Math.round((longitude - west) * 100));
}
const scaleOf = (page: Page) => page.locator(".maplibregl-ctrl-scale").textContent();

/** Opens the form of a new map on a phone, with its text in view. */
async function openForm() {
  const { page, complaints, close } = await openConsole(browser, ready.users_base_url, PHONE);
  await page.getByLabel("API key").fill(keyOf(await newCustomer()));
  await page.getByRole("button", { name: "Sign in" }).tap();
  await page.getByText("Draw your first one").waitFor();
  await middleOfMap(page);
  await page.getByRole("button", { name: "New map" }).tap();
  await page.getByText("From a file or as text").tap();
  const { x, y } = await middleOfMap(page);
  const at = (dx: number, dy: number) => ({ x: x + dx, y: y + dy });
  return { page, complaints, close, at, fingers: await fingersOn(page) };
}

it("lets fingers on a phone draw an area and change it, while two of them move the map only", async () => {
  const { page, complaints, close, at, fingers } = await openForm();
  const undo = page.getByRole("button", { name: "Undo" });
  const follows = async (corners: number, not: string): Promise<string> => {
    await expect.poll(() => wktOf(page), PATIENCE).not.toBe(not);
    const wkt = await wktOf(page);
    expect(cornersIn(wkt)).toBe(corners);
    return wkt;
  };

  for (const corner of [at(-60, -60), at(60, -60)]) await fingers.tap(corner);
  await fingers.tap(at(-100, 100), at(-60, 100));
  for (const corner of [at(60, 60), at(-60, 60), at(-60, -60)]) await fingers.tap(corner);
  const square = await follows(4, "");

  await fingers.drag(at(60, 60), at(80, 80));
  const moved = await follows(4, square);
  await fingers.tremble(at(-60, -60), at(-58, -59));
  await fingers.drag(at(0, -60), at(0, -90));
  const added = await follows(5, moved);
  expect(added.startsWith(firstOf(moved))).toBe(true);

  const scale = await scaleOf(page);
  // One from the middle of a side, one from a corner.
  for (const from of [at(-60, 0), at(-60, 60)]) await fingers.spread([from, at(20, 0)], [{ x: from.x - 30, y: from.y }, at(60, 0)]);
  await expect.poll(() => scaleOf(page), PATIENCE).not.toBe(scale);
  expect(await wktOf(page)).toBe(added);
  // The map shows what the text says: moved as a whole, no corner is elsewhere.
  await fingers.drag(at(40, 0), at(70, 10));
  const whole = await follows(5, added);
  expect(breadths(whole)).toEqual(breadths(added));

  // By mouse: a tap right after a finger's movement only ends that, for the browser.
  for (const before of [added, moved, square, ""]) {
    await undo.click();
    await expect.poll(() => wktOf(page), PATIENCE).toBe(before);
  }
  expect(await undo.isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

it("lets a finger that rests on a corner remove it", async () => {
  const { page, close, at, fingers } = await openForm();
  await page.getByRole("button", { name: "Rectangle" }).tap();
  await fingers.tap(at(-60, -60));
  await fingers.tap(at(60, 60));
  await expect.poll(async () => cornersIn(await wktOf(page)), PATIENCE).toBe(4);
  await fingers.rest(at(60, 60));
  await expect.poll(async () => cornersIn(await wktOf(page)), PATIENCE).toBe(3);
  await close();
});
