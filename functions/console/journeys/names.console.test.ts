import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { goTo, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { createMap } from "../../../infra/testing/realtime.ts";
import { keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

it("the console keeps markup, directions and invisible characters of names as text in every view", async () => {
  const evil = `<img src=x onerror="document.title='run'"> \u202egnp.\u200bexe`;
  const shown = evil.replaceAll(/[\u202e\u200b]/g, "␣");
  const key = keyOf(await newCustomer());
  await createMap(key, { name: "A map", type: "admin_level_2", ids: [784] });
  const { page, complaints, close } = await openConsole(browser, ready.users_base_url, {}, "#/maps");
  // The service refuses such characters; the console does not rely on it.
  for (const address of [
    `${ready.users_base_url}/admin/maps*`,
    `${ready.users_base_url}/admin/maps/*`,
    `${ready.data_base_url}/geographies*`,
    `${ready.data_base_url}/data-agg*`,
    `${ready.data_base_url}/data-agg/results/*`,
  ])
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        /"(name|description|geo_name|link_name|link_type)":"[^"]*"/g,
        (_, field) => `"${field}":${JSON.stringify(evil)}`,
      );
      await route.fulfill({ response, body });
    });
  await signIn(page, key);
  await page.getByRole("link", { name: /<img/ }).click();
  expect(await page.getByRole("heading", { name: /<img/ }).textContent()).toBe(shown);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByText(shown).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Search by name").fill("a");
  await page.getByRole("checkbox", { name: /<img/ }).first().waitFor();
  await goTo(page, "Explore");
  await page.locator(".ranking button").first().click();
  await page.locator(".series").getByText(shown).waitFor();
  await page.getByText("Trips", { exact: true }).click();
  await page.getByLabel("Name of the area").fill("1km");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("heading", { name: /Trips from <img/ }).waitFor();
  await page.getByText("Roads", { exact: true }).click();
  await page.getByLabel("Place").fill("59.437, 24.7454");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("heading", { name: /^<img/ }).waitFor();
  await goTo(page, "Jobs");
  await page.getByLabel("Areas").selectOption("admin_level_2");
  await page.getByLabel("Result").first().selectOption("false");
  await page.getByRole("button", { name: "Submit job" }).click();
  await page.getByRole("cell", { name: /<img/ }).first().waitFor();
  expect([await page.locator("img").count(), await page.title()]).toEqual([0, "Jobs – Populus"]);
  expect(complaints).toEqual([]);
  await close();
});
