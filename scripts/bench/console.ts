import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { BigQuery } from "@google-cloud/bigquery";
import type { Browser, Page, Request } from "playwright-core";
import * as v from "valibot";
import { parseOptions } from "../../infra/local/options.ts";
import { startService } from "../../infra/local/service.ts";
import { openBrowser } from "../../infra/testing/browser/browser.ts";
import { goTo, middleOfMap, openConsole, signIn } from "../../infra/testing/browser/console-page.ts";
import { buildConsole } from "../console/build.ts";
import { boundaries, cellIds, cells, insertGeographies } from "./many-geographies.ts";
import { report } from "./measure.ts";

const FIRST_VIEW_KB_MAX = 60;
const MAPS_PAGE_KB_MAX = 30;
const TASK_MS_MAX = 100;
const BOUNDARIES = 2000;
const CELLS = 10_000;
/** What the list of maps has drawn of each map already. */
const LISTED = 500;
const TICK_SECONDS = 2;
const WATCHED_SECONDS = 12;
const SETTLED_MS = 3000;

/** An event of Chromium's trace: times in microseconds, `tdur` is that of the processor. */
const Trace = v.object({
  traceEvents: v.array(
    v.object({
      name: v.string(),
      tid: v.number(),
      pid: v.number(),
      dur: v.optional(v.number()),
      tdur: v.optional(v.number()),
      args: v.optional(v.looseObject({ name: v.optional(v.string()) })),
    }),
  ),
});
const TRACED = ["toplevel", "__metadata"];
/** The renderer's main thread, and the name of its tasks. */
const MAIN_THREAD = "CrRendererMain";
const TASK = /RunTask$/;
const DRAWN_WITHIN_MS = 120_000;

/**
 * Measures the web console in a real browser: the bytes of its first view, the longest task of the main thread while it draws much, and the
 * requests of pages that nobody uses. The browser draws with the processor.
 */
export async function benchConsole(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const options = ["--state", state, "--engines", "embedded", "--no-schedule", "--days", "3", "--tick", String(TICK_SECONDS)];
  const service = await startService(parseOptions(options), () => undefined);
  await service.filled;
  const browser = await openBrowser();
  try {
    const { users_base_url: users, project, bigquery_endpoint: apiEndpoint, customers } = service.ready;
    const key = customers[0]?.keys.admin ?? "";
    const operator = new BigQuery({ projectId: project, location: "europe-north1", apiEndpoint });
    await insertGeographies(operator, [...boundaries(BOUNDARIES), ...cells(CELLS)]);
    const map = await createMap(users, key, { name: "Ten thousand cells", type: "grid_1000m", country_code: "LTU", ids: cellIds(CELLS) });
    await firstViews(users);
    const { page, close } = await openConsole(browser, users, { viewport: { width: 1280, height: 800 } });
    await signIn(page, key);
    await middleOfMap(page);
    const watch = watcher(browser, page);
    await drawBoundaries(page, watch);
    await drawCells(page, map, watch);
    await moveHours(page, watch);
    await close();
    const idle = await openConsole(browser, users);
    await signIn(idle.page, key);
    await countRequests(idle.page);
    await idle.close();
  } finally {
    await browser.close();
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

async function createMap(users: string, key: string, body: object): Promise<string> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(`${users}/admin/maps`, { method: "POST", headers, body: JSON.stringify(body) });
  return v.parse(v.object({ id: v.string() }), await answer.json()).id;
}

/** What a browser loads before it shows anything, and from the sign-in to the list of maps, beside which the map is still loading. */
async function firstViews(users: string): Promise<void> {
  const page = await (await fetch(`${users}/console/`)).text();
  const first = [...page.matchAll(/(?:<script[^>]* src|<link rel="(?:stylesheet|modulepreload)" href)="([^"]+)"/g)].flatMap(
    ([, name]) => name ?? [],
  );
  const bodies = await Promise.all(first.map(async (path) => Buffer.from(await (await fetch(`${users}${path}`)).arrayBuffer())));
  reportFiles("script and style of the first view", bodies, FIRST_VIEW_KB_MAX);
  const { files, parts } = await buildConsole(process.cwd());
  const list = files.filter(({ name }) => parts["maps/maps-page.tsx"]?.includes(name)).map(({ bytes }) => bytes);
  reportFiles("script from the sign-in to the list of maps", list, MAPS_PAGE_KB_MAX);
}

function reportFiles(what: string, bodies: readonly Uint8Array[], budget: number): void {
  const kilobytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1000;
  report({
    bench: "console",
    what,
    files: bodies.length,
    gzip_kb: kilobytes,
    plain_kb: bodies.reduce((sum, body) => sum + body.length, 0) / 1000,
    budget_kb: budget,
    ratio: kilobytes / budget,
    met: bodies.length > 0 && kilobytes <= budget,
  });
}

/** Every district of a country in view, to pick them. They appear once the map is near enough. */
async function drawBoundaries(page: Page, watch: Watch): Promise<void> {
  await page.getByLabel("Country").selectOption("LTU");
  await page.getByRole("button", { name: "New map" }).click();
  await page.getByText("Districts", { exact: true }).click();
  await page.getByText("Zoom in to see areas to pick").waitFor();
  await watch("boundaries, drawn to pick them", { features: BOUNDARIES }, () => page.getByRole("button", { name: "Zoom in" }).click());
  await page.getByRole("button", { name: "Cancel" }).click();
}

/** A map of many cells. */
async function drawCells(page: Page, map: string, watch: Watch): Promise<void> {
  await watch("cells of a map, drawn whole", { features: CELLS, already: LISTED }, () => page.evaluate(`location.hash = "#/maps/${map}"`));
}

/** The hours of a day over the municipalities of a country. */
async function moveHours(page: Page, watch: Watch): Promise<void> {
  await page.getByLabel("Country").selectOption("EST");
  await goTo(page, "Explore");
  const slider = page.getByLabel("Hour").first();
  await slider.waitFor();
  await watch("hours of a choropleth, one after the other", { times: 24 }, async () => {
    for (let hour = 0; hour < 24; hour++) await slider.fill(String(hour));
  });
}

type Watch = ReturnType<typeof watcher>;

/**
 * Returns what reports the longest task of the main thread while something is drawn. The budget is for the processor's time: how long a task
 * waits for a processor is the machine's matter.
 */
function watcher(browser: Browser, page: Page) {
  let received = 0;
  page.on("response", async (response) => {
    if (!response.url().includes("/geographies?") || response.request().method() !== "GET") return;
    const answer = v.safeParse(v.object({ features: v.array(v.unknown()) }), await response.json().catch(() => undefined));
    received += answer.success ? answer.output.features.length : 0;
  });
  return async (
    what: string,
    expected: { readonly features?: number; readonly already?: number; readonly times?: number },
    draw: () => Promise<unknown>,
  ) => {
    await page.waitForTimeout(SETTLED_MS);
    received = expected.already ?? 0;
    await browser.startTracing(page, { categories: TRACED });
    await draw();
    const until = performance.now() + DRAWN_WITHIN_MS;
    while (received < (expected.features ?? 0) && performance.now() < until) await page.waitForTimeout(250);
    await page.waitForTimeout(SETTLED_MS);
    const tasks = tasksOf(await browser.stopTracing());
    const [longest, waiting] = [Math.max(...tasks.map(({ processor }) => processor)), Math.max(...tasks.map(({ wall }) => wall))];
    const drawn = expected.times ?? received;
    report({
      bench: "console",
      what: `${drawn.toLocaleString("en")} ${what}`,
      tasks: tasks.length,
      longest_task_ms: longest,
      with_waiting_ms: waiting,
      load: loadavg()[0],
      budget_ms: TASK_MS_MAX,
      ratio: longest / TASK_MS_MAX,
      met: tasks.length > 0 && drawn >= (expected.features ?? 0) && longest <= TASK_MS_MAX,
    });
  };
}

/** The tasks of the page's main thread, in milliseconds. */
function tasksOf(trace: Buffer): { readonly processor: number; readonly wall: number }[] {
  const { traceEvents: events } = v.parse(Trace, JSON.parse(trace.toString()));
  const threads = new Set(events.filter(({ args }) => args?.name === MAIN_THREAD).map(({ pid, tid }) => `${pid} ${tid}`));
  return events
    .filter(({ name, pid, tid }) => TASK.test(name) && threads.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ processor: tdur / 1000, wall: dur / 1000 }));
}

/** What a page asks the service for while nobody uses it: at most once a tick in view, and nothing when hidden. */
async function countRequests(page: Page): Promise<void> {
  await page.locator(".count.number").first().waitFor();
  await page.waitForLoadState("networkidle");
  const ticks = WATCHED_SECONDS / TICK_SECONDS;
  for (const [what, isHidden, budget] of [
    ["requests of an idle page", false, ticks + 1],
    ["requests of a hidden page", true, 0],
  ] as const) {
    await page.evaluate(`
      Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    const asked: string[] = [];
    const count = (request: Request): void => {
      asked.push(new URL(request.url()).pathname);
    };
    page.on("request", count);
    await delay(WATCHED_SECONDS * 1000);
    page.off("request", count);
    report({
      bench: "console",
      what,
      seconds: WATCHED_SECONDS,
      ticks,
      requests: asked.length,
      paths: [...new Set(asked)],
      budget_requests: budget,
      ratio: asked.length / ticks,
      met: asked.length <= budget,
    });
  }
}
