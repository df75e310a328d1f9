import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { type ConsolePage, middleOfMap, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";
import { runningJob } from "../../../infra/testing/running-job.ts";
import { call, keyOf, newCustomer, ready } from "../../../infra/testing/service.ts";
import { colourAt } from "./colour-at.ts";
import { focusOnceShown, painted } from "./quick-focus.ts";

const ADMIN = { service: "storage", scopes: ["realtime"], machineAccountAdmin: true } as const;
const YEAR_MS = 365 * 86_400_000;
/** Each look at a map draws it again. */
const PATIENCE = { timeout: 60_000, interval: 250 };
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

function open(at: string, options?: Parameters<typeof openConsole>[2]): Promise<ConsolePage> {
  return openConsole(browser, ready.users_base_url, options, at);
}

const Availability = v.looseObject({ results: v.array(v.looseObject({ table_name: v.string(), batch_date: v.string() })) });

/** An answer about days without the first one of a table. */
function withoutFirstDay(answer: unknown, table: string): v.InferOutput<typeof Availability> {
  const parsed = v.parse(Availability, answer);
  const [first] = parsed.results.flatMap(({ table_name, batch_date }) => (table_name === table ? batch_date : [])).sort();
  return { ...parsed, results: parsed.results.filter(({ table_name, batch_date }) => table_name !== table || batch_date !== first) };
}

describe("the console", () => {
  it("shows a day of the three products, and the same as code", async () => {
    // The places below are those of a map of this size.
    const { page, complaints, close } = await open("#/explore", { viewport: { width: 1280, height: 800 } });
    await page.route(`${ready.data_base_url}/data-availability?*`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: withoutFirstDay(await response.json(), "odm_daily") });
    });
    await signIn(page, keyOf(await newCustomer()));
    const ranking = page.getByRole("region", { name: "Most in this hour" });
    await ranking.getByRole("button", { name: "Tallinn" }).click();
    await page.getByRole("figure", { name: "People by hour in Tallinn" }).waitFor();
    await ranking.getByRole("button", { name: "Tartu" }).click();
    await page.getByRole("figure", { name: "People by hour in Tallinn, Tartu" }).waitFor();
    await page.getByText(/Data of .*, version 1 · Europe\/Tallinn/).waitFor();
    await page.getByText(/share of withheld people is not told|% of this day's people are in no published value/).waitFor();
    const count = () => ranking.getByRole("button", { name: "Tallinn" }).locator(".number").textContent();
    const noon = await count();
    await page.getByLabel("Hour", { exact: false }).first().fill("4");
    await expect.poll(count, PATIENCE).not.toBe(noon);
    // Tartu is south-east of the country's middle, and has the darkest class.
    const { x, y } = await middleOfMap(page);
    const redOfTartu = async () => (await colourAt(page, x + 210, y + 65))[0];
    await expect.poll(redOfTartu, PATIENCE).toBeLessThan(90);
    // In equal steps it is far below Tallinn.
    const steps = () => page.locator(".swatches li").allTextContents();
    const quantiles = await steps();
    await page.getByLabel("Classes").selectOption("equal");
    await expect.poll(redOfTartu, PATIENCE).toBeGreaterThan(150);
    expect((await steps()).at(-1)).not.toBe(quantiles.at(-1));
    // By keyboard: the day is played, and an area is chosen that is not in the list.
    const hourNow = () => page.getByLabel("Hour", { exact: false }).first().inputValue();
    await page.getByRole("button", { name: "Play the day" }).press("Space");
    await expect.poll(hourNow, PATIENCE).not.toBe("4");
    await page.getByRole("link", { name: "Data", exact: true }).click();
    await page.getByRole("main", { name: "Data", exact: true }).waitFor();
    // Back again, playing has ended; a quick person has the button before the page is painted, and keeps it.
    await focusOnceShown(page, ".hours button");
    await page.getByRole("link", { name: "Explore", exact: true }).click();
    await page.getByRole("button", { name: "Play the day" }).waitFor();
    await painted(page);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause" }).press("Space");
    await page.getByLabel("Name of the area").fill("Nowhere");
    await page.keyboard.press("Enter");
    await page.getByText("No area has this in its name").waitFor();
    await page.getByLabel("Name of the area").fill("vändra");
    await page.keyboard.press("Enter");
    await page.getByRole("figure", { name: "People by hour in Tartu, Vändra" }).waitFor();

    await page.getByText("As code").click();
    const code = await page.locator(".code pre").textContent();
    expect(code).toContain("curl -s");
    expect(code).not.toContain(keyOf(await newCustomer()).slice(0, 8));
    const [, address = ""] = /"(http[^"]+)"/.exec(code ?? "") ?? [];
    expect((await fetch(address, { headers: { "x-api-key": keyOf(await newCustomer()) } })).status).toBe(200);

    // Only days with data can be chosen; the first one has no trips.
    await page.getByRole("button", { name: /^Day: / }).click();
    const days = page.locator(".day-choice").getByRole("button", { name: / rows, loaded on / });
    await days.first().click();
    const isFirst = () => page.getByRole("button", { name: "Previous day" }).isDisabled();
    await expect.poll(isFirst, PATIENCE).toBe(true);
    await page.getByText("Roads", { exact: true }).click();
    await page.getByLabel("Place").fill("59.437, 24.7454");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("heading", { name: "Viru tänav" }).waitFor();
    await page.getByRole("figure", { name: "People by hour on Viru tänav" }).waitFor();

    await page.getByText("Trips", { exact: true }).click();
    const notice = page.getByRole("status").filter({ hasText: "There is no data for Trips on" });
    await notice.getByRole("button").click();
    await expect.poll(isFirst, PATIENCE).toBe(true);
    await page.getByLabel("Name of the area").fill("N4123E5152");
    await page.getByRole("button", { name: "Find" }).click();
    await page.locator(".ranking li").nth(3).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("estimates a job, runs it, and downloads its file with the right checksum", async () => {
    const { page, complaints, close } = await open("#/jobs");
    const customer = await newCustomer();
    await signIn(page, keyOf(customer));
    await page.getByText("There are no jobs").waitFor();
    await page.getByLabel("Areas").selectOption("admin_level_2");
    await page.getByText(/At most [\d,]+ rows; reads .* costs USD/).waitFor();
    const lastDay = await page.getByLabel("Last day").inputValue();
    await page.getByLabel("Last day").pressSequentially("01012099");
    await page.getByText(/A job has at most 400 days: choose a last day up to \d/).waitFor();
    await page.getByLabel("Last day").fill(lastDay);
    await page.getByLabel("Ids (optional)").fill("x7");
    await page.getByText("x7 is no id").waitFor();
    await page.getByLabel("Ids (optional)").fill("784, 793");
    await page.getByText(/At most 4\d rows/).waitFor();
    await page.getByRole("button", { name: "Submit job" }).click();
    const job = page.getByRole("region", { name: "Job", exact: true });
    await job.getByText("Completed").waitFor();
    expect(await job.evaluate((element) => element === document.activeElement)).toBe(true);
    const download = page.waitForEvent("download");
    await job.getByRole("button", { name: /^Download part-1/ }).click();
    const lines = gunzipSync(readFileSync(await (await download).path()))
      .toString()
      .trim()
      .split("\n");
    await job.getByText("checksum is right").waitFor();
    expect(lines[0]).toContain("sum_unique_people");
    await job.getByText(`${lines.length - 1} rows.`).waitFor();

    await page
      .getByRole("row", { name: /Completed/ })
      .getByText("this key")
      .waitFor();
    await page.getByLabel("Areas").selectOption("grid_1000m");
    await page.getByLabel("Ids (optional)").fill("");
    await job.getByRole("button", { name: "Repeat with changes" }).click();
    await expect.poll(() => page.getByLabel("Ids (optional)").inputValue(), PATIENCE).toBe("784, 793");
    expect(await page.getByLabel("Areas").inputValue()).toBe("admin_level_2");
    await page.getByLabel("Result").first().selectOption("false");
    await page.getByRole("button", { name: "Submit job" }).click();
    await job.getByRole("cell", { name: "Tallinn" }).first().waitFor();

    // By keyboard: the running one among the jobs is found by its state, and cancelled while the list shows others.
    const id = await runningJob(customer);
    const state = page.getByLabel("Filter by state");
    await state.selectOption("running");
    await page
      .getByRole("row", { name: /Running/ })
      .getByRole("link")
      .press("Enter");
    await job.getByText(id).waitFor();
    await state.selectOption("completed");
    await expect.poll(() => page.locator("table.jobs tbody tr").count(), PATIENCE).toBe(2);
    await job.getByRole("button", { name: "Cancel job" }).press("Enter");
    await job.getByText("Cancelled", { exact: true }).waitFor();
    expect(await call("data", "GET", `/data-agg/status/${id}`, { key: keyOf(customer) })).toMatchObject({ body: { status: "cancelled" } });
    await page.getByLabel("Filter by product").selectOption("odm");
    await page.getByText("No job matches these filters").waitFor();
    await page.getByLabel("Filter by product").selectOption("");
    // As the service answers once a day of the job was loaded again (functions/aggregation/superseded.test.ts).
    await page.route(`${ready.data_base_url}/data-agg/results/*`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"superseded":false', '"superseded":true') });
    });
    await page
      .getByRole("row", { name: /Completed/ })
      .first()
      .getByRole("link")
      .press("Enter");
    await job.getByText("Superseded", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("creates, changes, rotates and revokes keys, and requests the dataset", async () => {
    const allow = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;
    const customer = await newCustomer({ keys: { admin: ADMIN }, allow: { scopes: [...allow.scopes], profiles: [...allow.profiles] } });
    const { page, complaints, close } = await open("#/keys");
    await signIn(page, keyOf(customer, "admin"));
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Label").fill("Nightly!");
    await dialog.getByRole("button", { name: "Create key" }).click();
    // Each fault stands at its field.
    const describedBy = async (label: string) => ((await dialog.getByLabel(label).getAttribute("aria-describedby")) ?? "").split(" ");
    expect(await describedBy("Label")).toContain(await dialog.getByText("A label begins with a letter").getAttribute("id"));
    await dialog.getByLabel("Label").fill("nightly");
    await dialog.getByLabel("Last day").fill("2020-01-01");
    await dialog.getByRole("button", { name: "Create key" }).click();
    expect(await describedBy("Last day")).toContain(await dialog.getByText("must be in the future").getAttribute("id"));
    expect(await dialog.locator("[aria-invalid=true]").count()).toBe(1);
    await dialog.getByLabel("Last day").fill("");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const made = (await page.locator(".secret").textContent()) ?? "";
    expect(await call("users", "GET", "/users/me", { key: made })).toMatchObject({ status: 200, body: { keyLabel: "nightly" } });
    await page.getByRole("button", { name: "I have stored it" }).click();
    expect(await page.content()).not.toContain(made);

    await page.getByRole("switch", { name: "Realtime scope of nightly" }).click();
    await expect
      .poll(() => page.getByRole("switch", { name: "Realtime scope of nightly" }).getAttribute("aria-checked"), PATIENCE)
      .toBe("false");
    await page.getByLabel("Profile of nightly").selectOption("warehouse");
    await expect
      .poll(async () => (await call("users", "GET", "/users/me", { key: made })).body, PATIENCE)
      .toMatchObject({ service: "warehouse", scopes: [] });
    await page.getByRole("button", { name: "End of nightly" }).click();
    const lastDay = new Date(Date.now() + YEAR_MS).toISOString().slice(0, 10);
    await dialog.getByLabel("Last day").fill(lastDay);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /^End of nightly: after \d+ \w+ \d{4}$/ }).waitFor();
    const { body: asked } = await call("users", "GET", "/users/me", { key: made });
    expect(asked).toMatchObject({ expiresAt: expect.stringMatching(new RegExp(`^${lastDay}T2[12]:00:00`)) });
    await page
      .getByRole("row", { name: /^admin/ })
      .getByText("a browser, from 127.0.0.1")
      .waitFor();
    // The key that is signed in: the page goes on with the new one.
    await page.getByRole("button", { name: "Rotate admin" }).click();
    await dialog.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    expect(await call("users", "GET", "/users/me", { key: keyOf(customer, "admin") })).toMatchObject({ status: 401 });
    await page.getByRole("button", { name: "Revoke nightly" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row", { name: /nightly/ }).waitFor({ state: "detached" });
    expect(await call("users", "GET", "/users/me", { key: made })).toMatchObject({ status: 401 });
    await page.getByRole("button", { name: "Request the dataset" }).click();
    await page.getByText(/waits for the operator|Ready:/).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows which days there are", async () => {
    const { page, close } = await open("#/data");
    await signIn(page, keyOf(await newCustomer()));
    const calendar = page.getByRole("region", { name: "Trips between areas" });
    await calendar.getByRole("button").last().click();
    await calendar.locator("p", { hasText: /: [\d,]+ rows, loaded on / }).waitFor();
    await close();
  });
});
