import type { Browser, Page } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { goTo, middleOfMap, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { call, keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const HARBOUR = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))";
const Parts = v.record(v.string(), v.array(v.string()));

/** Holds a part's files back until the returned function is called. */
async function holdPart(page: Page, source: string): Promise<() => void> {
  const parts = v.parse(Parts, JSON.parse((await page.locator("body").getAttribute("data-parts")) ?? "{}"));
  const pages = new Set(Object.entries(parts).flatMap(([name, files]) => (name.endsWith("-page.tsx") ? files : [])));
  const held = (parts[source] ?? []).filter((file) => !pages.has(file));
  expect(held).not.toEqual([]);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  for (const file of held)
    await page.route(`**/console/${file}`, async (route) => {
      await released;
      await route.continue();
    });
  return release;
}

describe("on a slow network, the console", () => {
  it("has lists, numbers and forms while the map is still loading", async () => {
    const customer = await newCustomer();
    await call("users", "POST", "/admin/maps", {
      key: keyOf(customer),
      body: { name: "Harbour", type: "custom_polygon", geometry: HARBOUR },
    });
    const { page, complaints, close } = await openConsole(browser, ready.users_base_url);
    const release = await holdPart(page, "map-view/map-view.tsx");
    await signIn(page, keyOf(customer));
    await page.getByRole("link", { name: "Harbour" }).click();
    await page.getByRole("heading", { name: "Harbour" }).waitFor();
    await page.getByRole("link", { name: "All maps" }).click();
    // A shape can be pasted before there is a map to draw it on.
    await page.getByRole("button", { name: "New map" }).click();
    expect(await page.getByRole("button", { name: "Rectangle" }).isDisabled()).toBe(true);
    await page.getByText("From a file or as text").click();
    await page.getByLabel("WKT").fill(HARBOUR);
    await page.keyboard.press("Tab");
    await page.getByText(/km², .* cells of 250 m/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await goTo(page, "Explore");
    await page.getByRole("region", { name: "Most in this hour" }).getByRole("button", { name: "Tallinn" }).waitFor();
    release();
    await middleOfMap(page);
    await goTo(page, "Maps");
    await page.getByRole("button", { name: "New map" }).click();
    await page.getByRole("button", { name: "Rectangle" }).click();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe("when the network is lost, the console", () => {
  it("goes on by itself when it is back", async () => {
    const { page, close } = await openConsole(browser, ready.users_base_url, {}, "#/data");
    await signIn(page, keyOf(await newCustomer()));
    await page.getByRole("region", { name: "Trips between areas" }).waitFor();
    await page.context().setOffline(true);
    await goTo(page, "Jobs");
    await page.getByText("This part of the page cannot be loaded").waitFor();
    await page.context().setOffline(false);
    await page.getByText("There are no jobs").waitFor();
    // So does a page whose code is there.
    await page.context().setOffline(true);
    await goTo(page, "Data");
    await page.getByText(/The service at .* cannot be reached/).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("region", { name: "Trips between areas" }).waitFor();
    await close();
  });
});
