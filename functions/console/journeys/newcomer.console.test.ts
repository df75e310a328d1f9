import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openBrowser } from "../../../infra/testing/browser/browser.ts";
import { goTo, middleOfMap, openConsole, signIn } from "../../../infra/testing/browser/console-page.ts";

const Pids = v.object({ pids: v.object({ functions: v.number() }) });
const state = mkdtempSync(join(tmpdir(), "populus-newcomer-"));
let browser: Browser;
let service: ChildProcess;
let output = "";
const startedAt = performance.now();

beforeAll(async () => {
  // As a newcomer types it, but with a folder of its own, so that it disturbs no other service.
  service = spawn("bash", ["scripts/start", "--state", state, "--engines", "embedded"]);
  service.stdout?.on("data", (chunk) => {
    output += String(chunk);
  });
  [browser] = await Promise.all([openBrowser(), vi.waitUntil(() => output.includes("Ctrl-C stops it"), { timeout: 110_000 })]);
});

afterAll(async () => {
  await browser?.close();
  service.kill("SIGTERM");
  await once(service, "close");
  rmSync(state, { recursive: true, force: true });
});

const functionsPid = (): number => v.parse(Pids, JSON.parse(readFileSync(join(state, "ready.json"), "utf8"))).pids.functions;

it("a newcomer gets from the start to a headcount, a choropleth and a downloaded file; and the page outlives a crash", async () => {
  const [, link = "", key = ""] = /Console +(http\S+)\/console\/ +key ([0-9a-f]{64})/.exec(output) ?? [];
  const walkedFrom = performance.now();
  const { page, complaints, close } = await openConsole(browser, link);
  await signIn(page, key);

  // An area, drawn by hand, with its headcount.
  await page.getByRole("link", { name: "Old town and harbour" }).click();
  await page.locator(".big.number").waitFor();
  // The map goes there once it is drawn: a hand's width is then a few streets.
  await middleOfMap(page);
  await page.getByRole("link", { name: "All maps" }).click();
  await page.getByRole("button", { name: "New map" }).click();
  const { x, y } = await middleOfMap(page);
  await page.getByRole("button", { name: "Rectangle" }).click();
  await page.mouse.click(x - 80, y - 60);
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.click(x + 80, y + 60);
  await page.getByText(/km², .* cells of 250 m/).waitFor();
  await page.getByLabel("Name").fill("My area");
  await page.getByRole("button", { name: "Save map" }).click();
  await page.getByRole("heading", { name: "My area" }).waitFor();
  await page.getByRole("switch", { name: "Count people in real time" }).click();
  const switchedAt = performance.now();
  await page.locator(".big.number").waitFor();
  const headcountAfter = performance.now() - switchedAt;

  // A choropleth of a day.
  await goTo(page, "Explore");
  await page.getByRole("region", { name: "Most in this hour" }).getByRole("button", { name: "Tallinn" }).waitFor();

  // An export.
  await goTo(page, "Jobs");
  await page.getByLabel("Areas").selectOption("admin_level_2");
  await page.getByText(/At most [\d,]+ rows/).waitFor();
  await page.getByRole("button", { name: "Submit job" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Download part-1/ }).click();
  const rows = gunzipSync(readFileSync(await (await download).path()))
    .toString()
    .split("\n");
  expect(rows.length).toBeGreaterThan(10);
  const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);
  process.stdout.write(
    `From the link to the file: ${seconds(walkedFrom)} s; with ./scripts/start: ${seconds(startedAt)} s; ` +
      `a headcount ${(headcountAfter / 1000).toFixed(1)} s after it was switched on\n`,
  );
  expect(complaints).toEqual([]);

  // The functions crash: the page says so, and goes on when they are back.
  await goTo(page, "Data");
  await page.getByRole("region", { name: "Trips between areas" }).waitFor();
  const killed = functionsPid();
  // Nobody restarts them until the page has seen that they are gone.
  const supervisor = service.pid ?? 0;
  process.kill(supervisor, "SIGSTOP");
  process.kill(killed, "SIGKILL");
  await page.getByRole("button", { name: "Earlier" }).click();
  await page.getByText(/The service at .* cannot be reached/).waitFor();
  // A page that was never opened is not there yet.
  await goTo(page, "API keys");
  await page.getByText("This part of the page cannot be loaded").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This part of the page cannot be loaded").waitFor();
  process.kill(supervisor, "SIGCONT");
  await expect.poll(() => existsSync(join(state, "ready.json")) && functionsPid(), { timeout: 60_000 }).not.toBe(killed);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("row", { name: /^admin/ }).waitFor();
  await goTo(page, "Data");
  await page.getByRole("region", { name: "Trips between areas" }).waitFor();
  await close();
});
