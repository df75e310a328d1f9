import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { type ConsolePage, goTo, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { call, keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";
import { painted } from "./quick-focus.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

function open(at: string, options: Parameters<typeof openConsole>[2] = {}): Promise<ConsolePage> {
  return openConsole(browser, ready.users_base_url, options, at);
}

describe("the console", () => {
  it("takes a GeoJSON file, and says what is wrong with one that it cannot take", async () => {
    const { page, close } = await open("");
    await signIn(page, keyOf(await newCustomer()));
    await page.getByRole("button", { name: "New map" }).click();
    await page.getByText("From a file or as text").click();
    const give = (name: string, content: string) =>
      page.getByLabel("Choose a GeoJSON file").setInputFiles({ name, mimeType: "application/geo+json", buffer: Buffer.from(content) });
    await give("broken.geojson", "{");
    await page.getByText("This file is not JSON").waitFor();
    await give("point.geojson", JSON.stringify({ type: "Point", coordinates: [24.7, 59.4] }));
    await page.getByText("This file has no polygon").waitFor();
    const ring = [
      [24.73, 59.43],
      [24.76, 59.43],
      [24.76, 59.445],
      [24.73, 59.43],
    ];
    const geometry = { type: "Polygon", coordinates: [ring] };
    await give("two.geojson", JSON.stringify({ type: "FeatureCollection", features: [{ geometry }, { geometry }] }));
    await page.getByText("This file has 2 polygons").waitFor();
    await give("one.geojson", JSON.stringify({ type: "Feature", properties: {}, geometry }));
    await page.getByText("1.42 km²").waitFor();
    await close();
  });

  it("makes a map of municipalities that are picked by name, on a phone without WebGL", async () => {
    const customer = await newCustomer();
    const { page, close } = await open("", { viewport: { width: 360, height: 740 } });
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.reload();
    await signIn(page, keyOf(customer));
    await page.getByText("This browser cannot draw maps").waitFor();
    await page.getByRole("button", { name: "New map" }).click();
    await page.getByLabel("Name").fill("Two towns");
    await page.getByText("Municipalities", { exact: true }).click();
    for (const name of ["Tartu", "Elva"]) {
      await page.getByLabel("Search by name").fill(name);
      await page.getByRole("checkbox", { name }).first().check();
    }
    await page.getByText("2 picked; can be saved").waitFor();
    await page.getByRole("button", { name: "Save map" }).click();
    await page.getByText("2 × Municipalities").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await close();
  });

  it("has no step of a drawing to take back for whoever signs in next", async () => {
    const { page, close } = await open("#/maps");
    const begin = async (): Promise<void> => {
      await signIn(page, keyOf(await newCustomer()));
      await page.getByRole("button", { name: "New map" }).click();
    };
    const undo = page.getByRole("button", { name: "Undo" });
    await begin();
    await page.getByText("From a file or as text").click();
    await page.locator("#draft-wkt").fill("POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.43))");
    await page.locator("#draft-wkt").blur();
    await expect.poll(() => undo.isEnabled()).toBe(true);
    await page.getByRole("button", { name: "Sign out" }).click();
    await begin();
    await undo.waitFor();
    expect(await undo.isEnabled()).toBe(false);
    await close();
  });

  it("says nothing more of what failed in a session that has ended", async () => {
    const { page, close } = await open("#/data");
    await signIn(page, keyOf(await newCustomer()));
    await page.route(`${ready.users_base_url}/users/me`, (route) => route.abort());
    await goTo(page, "API keys");
    const notice = page.locator(".notices").getByText(/cannot be reached/);
    await notice.waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await notice.count()).toBe(0);
    await close();
  });

  it("shows the page of an address of which it cannot read the rest", async () => {
    const { page, complaints, close } = await open("#/jobs/%E0%A4");
    await signIn(page, keyOf(await newCustomer()));
    await page.getByText("There are no jobs").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe("when an answer comes late, the console", () => {
  it("shows nothing of a session that has ended to whoever signs in next", async () => {
    const { page, close } = await open("#/maps");
    const first = await newCustomer();
    await call("users", "POST", "/admin/maps", {
      key: keyOf(first),
      body: { name: "Of the first customer", type: "custom_polygon", geometry: "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.5, 24.7 59.4))" },
    });
    const late = Promise.withResolvers<void>();
    const maps = `${ready.users_base_url}/admin/maps*`;
    const isOver = Promise.withResolvers<void>();
    await page.route(maps, async (route) => {
      await late.promise;
      // A browser that has ended the request takes no answer to it.
      await route.continue().catch(() => undefined);
      isOver.resolve();
    });
    const asked = page.waitForRequest(maps);
    await signIn(page, keyOf(first));
    await asked;
    await page.getByRole("button", { name: "Sign out" }).click();
    late.resolve();
    await isOver.promise;
    await page.unroute(maps);
    await signIn(page, keyOf(await newCustomer()));
    await page.getByText(/Draw your first one|Of the first customer/).waitFor();
    expect(await page.getByText("Of the first customer").count()).toBe(0);
    await close();
  });

  it("shows the jobs of the product that is chosen, not of the one before", async () => {
    const { page, close } = await open("#/jobs");
    const late = Promise.withResolvers<void>();
    const time = "2026-11-22T12:00:00Z";
    const job = {
      ...{ job_id: "job_of_another_product", agg_type: "odm", country_code: "EST", full: true, submitted_by: "other-key" },
      ...{ status: "completed", progress: 100, created_at: time, started_at: time, finished_at: time, error: null, warnings: [] },
    };
    await page.route(/agg_type=odm/, async (route) => {
      await late.promise;
      await route.fulfill({ headers: { "access-control-allow-origin": "*" }, json: { jobs: [job], next_cursor: null } });
    });
    await signIn(page, keyOf(await newCustomer()));
    await page.getByText("There are no jobs").waitFor();
    const product = page.getByLabel("Filter by product");
    await product.selectOption("odm");
    const chosen = page.waitForResponse(/agg_type=flow/);
    await product.selectOption("flow");
    await (await chosen).finished();
    const answered = page.waitForResponse(/agg_type=odm/);
    late.resolve();
    await (await answered).finished();
    await painted(page);
    expect(await page.getByText("other-key").count()).toBe(0);
    await close();
  });
});

describe("when a quota is used up, the console", () => {
  it("says which one, and shows it among the limits", async () => {
    const customer = await newCustomer({ limits: { exportsPerDay: 1 } });
    const { page, close } = await open("#/jobs");
    await signIn(page, keyOf(customer));
    await page.getByLabel("Areas").selectOption("admin_level_2");
    await page.getByText(/At most [\d,]+ rows/).waitFor();
    await page.getByRole("button", { name: "Submit job" }).click();
    await page.getByRole("region", { name: "Job", exact: true }).getByText("Completed").waitFor();
    await page.getByRole("button", { name: "Submit job" }).click();
    await page.getByText("At most 1 exports may be submitted on one day (UTC)").waitFor();
    await goTo(page, "API keys");
    await page.getByRole("region", { name: "Limits" }).getByText("1 of 1").waitFor();
    await close();
  });
});

describe("when the bytes of the day are used up, the console", () => {
  it("says what is left before a job is submitted, and why it is refused", async () => {
    const customer = await newCustomer({ limits: { bytesPerDay: 5_000_000 } });
    const { page, close } = await open("#/jobs");
    await signIn(page, keyOf(customer));
    await page.getByLabel("Areas").selectOption("admin_level_2");
    await page.getByText("Your account may still read 5 MB of 5 MB today (UTC)").waitFor();
    await page.getByRole("button", { name: "Submit job" }).click();
    await page.getByText(/are left of the [\d.]+ GB that a customer may read a day/).waitFor();
    await goTo(page, "API keys");
    await page.getByRole("region", { name: "Limits" }).getByText("0 bytes of 5 MB").waitFor();
    await close();
  });
});

describe("when the service fails, the console", () => {
  it("waits as it is told if the service is busy, and says so; and goes on when an unreachable one is back", async () => {
    const key = keyOf(await newCustomer());
    const { page, close } = await open("#/data");
    await signIn(page, key);
    let busy = 1;
    await page.route(`${ready.data_base_url}/data-agg/jobs*`, (route) => {
      if (busy-- > 0)
        return route.fulfill({
          status: 429,
          headers: { "retry-after": "1", "access-control-allow-origin": "*", "access-control-expose-headers": "Retry-After" },
          json: { status: 429, code: "resource_exhausted", detail: "Too many requests" },
        });
      return route.continue();
    });
    await goTo(page, "Jobs");
    await page.getByText(/The service is busy. Trying again in \d+ s/).waitFor();
    await page.getByText("There are no jobs").waitFor();
    await page.route(`${ready.users_base_url}/admin/maps*`, (route) => route.abort());
    await page.reload();
    await signIn(page, key);
    await goTo(page, "Maps");
    await page
      .getByText(/cannot be reached/)
      .first()
      .waitFor();
    await page.unroute(`${ready.users_base_url}/admin/maps*`);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Draw your first one").waitFor();
    await close();
  });

  it("says so when it does not answer, and asks again when it is told to", async () => {
    const { page, close } = await open("#/data");
    await page.clock.install();
    await signIn(page, keyOf(await newCustomer()));
    const jobs = `${ready.data_base_url}/data-agg/jobs*`;
    await page.route(jobs, () => undefined);
    const asked = page.waitForRequest(jobs);
    await goTo(page, "Jobs");
    await asked;
    await page.clock.fastForward("02:01");
    await page.getByText(/has not answered for 2 minutes/).waitFor();
    await page.unroute(jobs);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("There are no jobs").waitFor();
    await close();
  });

  it("says so when its addresses cannot be had, and signs in when they can", async () => {
    const { page, close } = await open("");
    await page.route("**/console/config.json", (route) => route.abort());
    const key = keyOf(await newCustomer());
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/The service at 127.0.0.1:\d+ cannot be reached/).waitFor();
    await page.unroute("**/console/config.json");
    await signIn(page, key);
    await close();
  });
});
