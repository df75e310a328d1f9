import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page of the console, and what the browser complained about while it was open. */
export interface ConsolePage {
  readonly page: Page;
  /** Uncaught errors, and messages of the console: refused by the content security policy, for example. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

/** What Chromium says about an answer with an error status: the console shows these itself. */
const STATUS = /^Failed to load resource: (the server responded with a status of|net::ERR_)/;

/** As large as a desk's layout needs, with few pixels: the processor draws every one of the map. */
const VIEWPORT = { width: 1000, height: 640 };
const PIXELS_PER_UNIT = 0.5;

/**
 * Opens the console in a context of its own. What moves would be drawn frame by frame by the processor, so nothing does; and colours change at
 * once, not by a transition that a test would see half-way.
 * @param at the page that is shown after the sign-in, for example `#/jobs`; those without a map take less of the processor
 */
export async function openConsole(browser: Browser, usersUrl: string, options: BrowserContextOptions = {}, at = ""): Promise<ConsolePage> {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: VIEWPORT,
    deviceScaleFactor: PIXELS_PER_UNIT,
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  // Long enough for a machine whose other tests take both processors: how long something takes never decides a test.
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !STATUS.test(message.text())) complaints.push(message.text());
  });
  await page.goto(`${usersUrl}/console/${at}`);
  return { page, complaints, close: () => context.close() };
}

/** Signs in with a key, and waits for the first page. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation").waitFor();
}

/** Goes to a page of the console by its link. */
export async function goTo(page: Page, name: "Maps" | "Explore" | "Jobs" | "Data" | "API keys"): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name }).click();
}

/** A place on the screen, in units of the page. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The middle of the map on the screen, once it can be drawn on. */
export async function middleOfMap(page: Page): Promise<Point> {
  const canvas = page.locator("canvas.maplibregl-canvas");
  await page.locator('.map[aria-busy="false"]').waitFor();
  const box = await canvas.boundingBox();
  if (!box) throw new Error("The map has no size");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
