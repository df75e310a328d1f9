import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { awaitSample } from "../infra/local/await-sample.ts";
import { parseOptions } from "../infra/local/options.ts";
import { goTo, openConsole, signIn } from "../infra/testing/browser/console-page.ts";
import { exitOnHelp, SCREENSHOTS_USAGE } from "./usage.ts";

/** What is photographed: how to get there from the page before. */
const PAGES: readonly (readonly [name: string, go: (page: Page) => Promise<void>])[] = [
  ["maps", (page) => settled(page)],
  [
    "map",
    async (page) => {
      await page.getByRole("link", { name: "Old town and harbour" }).click();
      await page.locator(".sparkline").waitFor();
      await settled(page);
    },
  ],
  [
    "edit",
    async (page) => {
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByText("km², ").waitFor();
      await settled(page);
    },
  ],
  [
    "people",
    async (page) => {
      await page.getByRole("button", { name: "Cancel" }).click();
      await goTo(page, "Explore");
      for (const index of [0, 1]) await page.locator(".ranking button").nth(index).click();
      await page.getByLabel("Hour").first().fill("8");
      // What is under the pointer explains itself.
      const box = await page.locator(".map").boundingBox();
      if (box) await page.mouse.move(box.x + box.width * 0.62, box.y + box.height * 0.58);
      await settled(page);
    },
  ],
  [
    "trips",
    async (page) => {
      await page.getByText("Trips", { exact: true }).click();
      await page.getByLabel("Name of the area").fill("N4123E5152");
      await page.getByRole("button", { name: "Find" }).click();
      await page.locator(".ranking li").first().waitFor();
      await settled(page);
    },
  ],
  [
    "roads",
    async (page) => {
      await page.getByText("Roads", { exact: true }).click();
      await page.getByLabel("Place").fill("59.437, 24.7454");
      await page.getByRole("button", { name: "Find" }).click();
      await page.locator("figure.chart").waitFor();
      await settled(page);
    },
  ],
  [
    "jobs",
    async (page) => {
      await goTo(page, "Jobs");
      await page.getByLabel("Areas").selectOption("admin_level_2");
      await page.getByText("At most").waitFor();
      await page.getByRole("button", { name: "Submit job" }).click();
      await page
        .getByRole("button", { name: /^Download/ })
        .first()
        .waitFor();
    },
  ],
  [
    "data",
    async (page) => {
      await goTo(page, "Data");
      await page.locator("button.day").last().click();
    },
  ],
  [
    "keys",
    async (page) => {
      await goTo(page, "API keys");
      await page.getByRole("row", { name: /admin/ }).waitFor();
    },
  ],
];
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
const FOLDER = ".local/screenshots";

/** Waits until the map has drawn what it has, and fades nothing any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('.map[aria-busy="false"]').waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(2500);
}

/** `npm run screenshots` starts the service and photographs every page of the console, light and dark, on a desk and on a phone. */
async function main(): Promise<void> {
  // Loading them takes seconds, which --help need not wait for.
  const [{ startService }, { openBrowser }] = await Promise.all([
    import("../infra/local/service.ts"),
    import("../infra/testing/browser/browser.ts"),
  ]);
  const options = parseOptions(["--state", ".local/screenshots-service", "--engines", "embedded", "--tick", "10", "--port", "18190"]);
  const service = await startService(options, (line) => console.log(line));
  await awaitSample(service, (line) => console.log(line));
  const browser = await openBrowser();
  mkdirSync(FOLDER, { recursive: true });
  try {
    const [customer] = service.ready.customers;
    for (const [size, viewport] of Object.entries(SIZES))
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, close } = await openConsole(browser, service.ready.users_base_url, { viewport, deviceScaleFactor: 1, colorScheme });
        const shoot = async (name: string): Promise<void> => {
          await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`) });
          console.log(`  ${name}-${size}-${colorScheme}.png`);
        };
        await shoot("sign-in");
        await signIn(page, customer?.keys.admin ?? "");
        for (const [name, go] of PAGES) {
          await go(page);
          await shoot(name);
        }
        await close();
      }
    console.log(`Written to ${FOLDER}`);
  } finally {
    await browser.close();
    await service.stop();
  }
}

exitOnHelp(SCREENSHOTS_USAGE, process.argv.slice(2));
await main();
