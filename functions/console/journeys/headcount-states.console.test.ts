import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { monitored } from "../../../infra/testing/realtime.ts";
import { keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

/** Every result of a headcount, with what the page says about it. */
const STATES = {
  SUCCESS: { kind: "number", says: "people, measured at" },
  SUPPRESSED: { kind: "withheld", says: "small groups are not counted, to protect them" },
  STALE: { kind: "stale", says: "is more than 15 minutes old" },
  NO_DATA: { kind: "none", says: "has no measurement yet" },
  OUT_OF_COVERAGE: { kind: "outside", says: "it is at sea or abroad" },
} as const;
const TOWNS = [784, 793, 446, 511, 198];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** What the sign of a state looks like: its shape, colour and filling. */
function looksOf(page: Page): Promise<string> {
  return page.locator(".big").evaluate((element) => {
    const { borderStyle, borderColor, borderRadius, backgroundImage, content } = getComputedStyle(element, "::before");
    return content === "none" ? "a number" : [borderStyle, borderColor, borderRadius, backgroundImage].join(" ");
  });
}

it("each state of a headcount looks different, in the list, on its page and on the map, and explains itself", async () => {
  const key = keyOf(await newCustomer());
  const results = Object.keys(STATES);
  const ids: string[] = [];
  for (const [index, result] of results.entries())
    ids.push(await monitored(key, { name: `Area ${result}`, type: "admin_level_2", ids: [TOWNS[index]] }));
  const { page, complaints, close } = await openConsole(browser, ready.users_base_url);
  // Which areas have which state depends on the sample and the time of day: here each has one.
  await page.route(`${ready.data_base_url}/admin/realtime/data`, async (route) => {
    const response = await route.fetch();
    const rows = results.map((result, index) => ({
      timestamp: new Date().toISOString(),
      target_id: ids[index],
      result,
      subscriber_count: result === "SUCCESS" ? 1240 : 0,
    }));
    await route.fulfill({ response, json: { rows } });
  });
  await signIn(page, key);
  const looks = new Set<string>();
  for (const [result, { kind, says }] of Object.entries(STATES)) {
    const row = page.getByRole("link", { name: `Area ${result}` });
    await row.locator(`.count.${kind}`).waitFor();
    await row.click();
    await page.locator(`.big.${kind}`).waitFor();
    await page.getByText(says).waitFor();
    looks.add(await looksOf(page));
    await page.getByRole("link", { name: "All maps" }).click();
  }
  expect(looks.size).toBe(results.length);
  expect(complaints).toEqual([]);
  await close();
});
