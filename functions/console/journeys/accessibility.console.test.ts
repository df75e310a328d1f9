import axeCore from "axe-core";
import type { Browser, Page } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { goTo, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { createMap } from "../../../infra/testing/realtime.ts";
import { keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";

const ADMIN = { service: "storage", scopes: ["realtime"], machineAccountAdmin: true } as const;
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const AxeResults = v.object({
  violations: v.array(v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string() })) })),
});

/** What axe-core finds on a page: rules with the elements that break them. */
async function axe(page: Page): Promise<string[]> {
  // As an expression of the debugger: the page's policy allows no script of a test.
  await page.evaluate(axeCore.source);
  const { violations } = v.parse(AxeResults, await page.evaluate("axe.run()"));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

it("the console has no faults of accessibility on any page, light and dark, and fits a phone", async () => {
  const customer = await newCustomer({ keys: { admin: ADMIN } });
  await createMap(keyOf(customer, "admin"), { type: "admin_level_2", ids: [784] });
  // Colours change at once, not by a transition that axe would see half-way.
  const { page, close } = await openConsole(browser, ready.users_base_url, { viewport: { width: 360, height: 740 } }, "#/keys");
  const found: string[] = [];
  const look = async (name: string): Promise<void> => {
    // Its own: a page loads while the one before it is still there.
    await page.getByRole("heading", { level: 1, name }).waitFor({ state: "attached" });
    await page.getByText("Loading").first().waitFor({ state: "detached" });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await axe(page)).map((fault) => `${name}, ${colorScheme}: ${fault}`));
    }
    const widest = () => Math.max(document.documentElement.scrollWidth, document.querySelector("main")?.scrollWidth ?? 0);
    if ((await page.evaluate(widest)) > 360) found.push(`${name} is wider than the screen`);
  };
  await look("Sign in");
  await signIn(page, keyOf(customer, "admin"));
  for (const name of ["API keys", "Data", "Jobs", "Maps", "Explore"] as const) {
    await goTo(page, name);
    await look(name);
  }
  expect(found).toEqual([]);
  await close();
});
