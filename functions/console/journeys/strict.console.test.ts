import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { goTo, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

it("of a strict country, the console offers only what has hours, shows roads by class, and says so", async () => {
  const { page, complaints, close } = await openConsole(browser, ready.users_base_url, {}, "#/jobs");
  // As a country of the strict profile answers (functions/privacy/strict.test.ts); the sample has none.
  await page.route(`${ready.data_base_url}/countries`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replaceAll('"profile":"standard"', '"profile":"strict"')
      .replaceAll('"hourly_geo_types":["grid_1000m",', '"hourly_geo_types":[');
    await route.fulfill({ response, body });
  });
  await page.route(`${ready.data_base_url}/data-agg?*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"direction":1', '"direction":null') });
  });
  await page.route(`${ready.data_base_url}/data-availability?*`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"withheld_people_percent":[\d.]+/g, '"withheld_people_percent":null');
    await route.fulfill({ response, body });
  });
  await signIn(page, keyOf(await newCustomer()));
  const types = () => page.getByLabel("Areas").locator("option").allTextContents();
  await expect.poll(types).toEqual(["Municipalities", "Districts"]);
  await page.getByLabel("Per", { exact: true }).selectOption("daily");
  await expect.poll(types).toEqual(["Cells of 1 km", "Municipalities", "Districts"]);
  await page.getByLabel("Measure", { exact: true }).selectOption("max_unique_people");
  await expect.poll(types).toEqual(["Municipalities", "Districts"]);
  await goTo(page, "Explore");
  await page.getByText("the share of withheld people is not told for Estonia").waitFor();
  await page.getByText("Roads", { exact: true }).click();
  await page.getByLabel("Place").fill("59.437, 24.7454");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText(/Estonia tells no single road/).waitFor();
  await page.getByRole("figure", { name: /^People by hour on all roads of class \w+$/ }).waitFor();
  await page.locator(".series").getByText("Both directions").waitFor();
  expect(complaints).toEqual([]);
  await close();
});
