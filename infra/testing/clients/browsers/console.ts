import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import type { CheckContext } from "../client.ts";
import { button, field, KEYS, type Page, type Point } from "./page.ts";

const [LOOKS, LOOK_MS] = [120, 250];
const LAND = [247, 246, 242];
const WKT = field("WKT, longitude first");
const OLD_TOWN = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))";
const TRIANGLE = JSON.stringify({
  type: "Polygon",
  coordinates: [
    [
      [24.73, 59.43],
      [24.76, 59.43],
      [24.76, 59.445],
      [24.73, 59.43],
    ],
  ],
});
const Place = v.strictObject({ x: v.number(), y: v.number() });
const Complaints = v.strictObject({ complaints: v.array(v.string()) });

/** Keeps what a person sees in the browser's own console: uncaught errors, and what the content security policy refuses. */
const LISTEN = `(() => {
  const complaints = (window.complaints = []);
  addEventListener("error", ({ message }) => complaints.push(message));
  addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => complaints.push(violatedDirective + " " + blockedURI));
  return true;
})()`;

/** A customer's way through the web console, from the sign-in to the sign-out. Throws an Error that says what the browser did not do. */
export async function walkThroughConsole(page: Page, { ready, customer, folder }: CheckContext, downloads: string): Promise<void> {
  await page.open(`${ready.users_base_url}/console/`);
  await page.until("errors can be heard", LISTEN);
  await page.type(field("API key"), `${customer.keys.storage}${KEYS.enter}`);
  await page.untilText(/Vanalinn/);
  await drawArea(page, folder);
  await exploreDay(page);
  await exportFile(page, downloads);
  await goTo(page, "Data");
  await page.untilText(/Activities by hour/);
  const { complaints } = v.parse(Complaints, await page.until("the complaints", "({ complaints })"));
  if (complaints.length > 0) throw new Error(`The browser complains:\n${complaints.join("\n")}`);
  await page.click(button("Sign out"));
  await page.until("the form of the sign-in", `document.querySelector("input") && !document.querySelector("nav")`);
}

async function goTo(page: Page, name: string): Promise<void> {
  await page.click(`//nav//a[normalize-space(.)='${name}']`);
}

/** Draws an area by hand, then takes others from a file and from text; saves it, has its people counted and deletes it. */
async function drawArea(page: Page, folder: string): Promise<void> {
  await page.click(button("New map"));
  const { x, y } = await middleOfMap(page);
  await page.click(button("Rectangle"));
  await page.clickAt({ x: x - 60, y: y - 50 }, { x: x + 60, y: y + 50 });
  await page.untilText(/km², .* cells of 250 m/);
  await untilColour(page, "the drawn area", { x, y }, (colour) => !isLand(colour));
  await page.click("//summary[normalize-space(.)='From a file or as text']");
  const file = join(folder, "triangle.geojson");
  writeFileSync(file, TRIANGLE);
  await page.type("//input[@type='file']", file);
  await page.untilText(/1\.42 km²/);
  await page.clear(WKT);
  await page.type(WKT, `${OLD_TOWN}${KEYS.tab}`);
  await page.untilText(/2\.84 km²/);
  await page.type(field("Name"), "Drawn");
  await page.click(button("Save map"));
  await page.click(button("Count people in real time"));
  await page.until("the headcount", `/^[\\d,]+$/.test(document.querySelector(".big.number")?.textContent ?? "")`);
  await page.click(button("Delete"));
  await page.click(`//dialog${button("Delete")}`);
  await page.untilText(/Drawn is deleted/);
}

/** Looks at the hours of a day on the map, by mouse and by keys. */
async function exploreDay(page: Page): Promise<void> {
  await goTo(page, "Explore");
  await page.untilText(/Most in this hour/i);
  const middle = await middleOfMap(page);
  await untilColour(page, "the choropleth", middle, (colour) => !isLand(colour));
  await page.clickAt(middle);
  await page.until("the chart of the area", `document.querySelector("figure.chart canvas")`);
  const hour = `document.querySelector("input[type=range]").value`;
  const before = await page.until("the hour", hour);
  await page.type("//input[@type='range']", KEYS.right);
  await page.until("the next hour", `${hour} === "${Number(before) + 1}"`);
  await page.click(button("Play the day"));
  await page.until("an hour later", `Number(${hour}) > ${Number(before) + 1}`);
  await page.press(KEYS.space);
  await page.until("the pause", `document.querySelector("button[aria-label='Play the day']")`);
}

/** Exports a day as a file, and finds it where the browser saves files. */
async function exportFile(page: Page, downloads: string): Promise<void> {
  await goTo(page, "Jobs");
  await page.click(`${field("Areas")}/option[normalize-space(.)='Municipalities']`);
  await page.untilText(/At most [\d,]+ rows/);
  await page.click(button("Submit job"));
  await page.click("//button[starts-with(@aria-label, 'Download part-1')]");
  await page.untilText(/checksum is right/);
  const lines = (await savedFile(downloads)).toString().split("\n");
  if (!lines[0]?.includes("sum_unique_people") || lines.length < 10) throw new Error(`The file has other rows:\n${lines[0]}`);
}

/** Returns the middle of the map once it is drawn. */
async function middleOfMap(page: Page): Promise<Point> {
  const map = `document.querySelector('.map[aria-busy="false"] canvas.maplibregl-canvas')?.getBoundingClientRect()`;
  return v.parse(
    Place,
    await page.until("the map", `${map} && (({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(${map})`),
  );
}

function isLand(colour: readonly number[]): boolean {
  return LAND.every((part, index) => part === colour[index]);
}

/** Waits until a point of the screen has a colour that will do. */
async function untilColour(page: Page, what: string, point: Point, isRight: (colour: readonly number[]) => boolean): Promise<void> {
  let colour: readonly number[] = [];
  const look = async (): Promise<true | undefined> => {
    colour = await page.colourAt(point);
    return isRight(colour) || undefined;
  };
  await eventually(look, () => `${what}: the colour is ${colour}`);
}

/** Returns the content of the one file of a folder, uncompressed, once the browser has written all of it. */
function savedFile(folder: string): Promise<Buffer> {
  const look = async (): Promise<Buffer | undefined> => {
    const [name, ...others] = readdirSync(folder);
    if (name === undefined || others.length > 0 || !name.endsWith(".gz")) return undefined;
    try {
      return gunzipSync(readFileSync(join(folder, name)));
    } catch {
      // Its end is not there yet.
      return undefined;
    }
  };
  return eventually(look, () => `The browser has saved ${readdirSync(folder).join(", ") || "nothing"}`);
}

/** Looks again and again, and returns the first thing seen. Throws an Error that says what there is instead. */
async function eventually<Seen>(look: () => Promise<Seen | undefined>, instead: () => string): Promise<Seen> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await delay(LOOK_MS);
  }
  throw new Error(instead());
}
