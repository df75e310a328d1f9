import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import type { Command, WebDriver } from "./webdriver.ts";

/** Keys of the keyboard without a character (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
export const KEYS = { tab: "\uE004", enter: "\uE007", space: " ", right: "\uE014" } as const;

/** A point of the page, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What passes: some drivers do not wait until an element is in view, and the page may be drawn anew before a command reaches its element. */
const PASSING = ["element not interactable", "stale element reference"];
const PATIENCE_MS = 30_000;
const LOOK_MS = 50;
const ElementReference = v.record(v.string(), v.string());
const Outcome = v.union([v.strictObject({ value: v.unknown() }), v.strictObject({ shown: v.string() })]);
const Colour = v.strictTuple([v.number(), v.number(), v.number()]);

/** An XPath of the button or switch with a name: its text or its label. */
export const button = (name: string): string =>
  `//*[self::button or @role='switch'][normalize-space(.)='${name}' or @aria-label='${name}']`;

/** An XPath of the field whose label begins so. */
export const field = (label: string): string => `//*[@id=//label[starts-with(normalize-space(.),'${label}')]/@for]`;

/** A page in a browser, used as a person does: by pointer and keys. Whatever it looks for it waits for, half a minute. */
export class Page {
  readonly #driver: WebDriver;

  constructor(driver: WebDriver) {
    this.#driver = driver;
  }

  async open(url: string): Promise<void> {
    await this.#driver.send("SetTimeouts", { implicit: PATIENCE_MS, script: 2 * PATIENCE_MS, pageLoad: PATIENCE_MS });
    await this.#driver.send("SetWindowRect", { x: 0, y: 0, width: 1200, height: 860 });
    await this.#driver.send("Navigate", { url });
  }

  /** Clicks what an XPath finds. */
  async click(path: string): Promise<void> {
    await this.#toElement("ElementClick", path);
  }

  /** Types into what an XPath finds; keys of `KEYS` among it. */
  async type(path: string, text: string): Promise<void> {
    await this.#toElement("ElementSendKeys", path, { text });
  }

  async clear(path: string): Promise<void> {
    await this.#toElement("ElementClear", path);
  }

  /** Presses a key where the focus is. */
  async press(key: string): Promise<void> {
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: key }));
    await this.#driver.send("PerformActions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  /** Goes to each point with the mouse, in steps, and clicks there. */
  async clickAt(...points: readonly Point[]): Promise<void> {
    const to = ({ x, y }: Point) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 60, origin: "viewport" });
    const actions = points.flatMap(({ x, y }) => [
      ...[8, 4, 0].map((before) => to({ x: x - before, y: y - before })),
      { type: "pointerDown", button: 0 },
      { type: "pause", duration: 40 },
      { type: "pointerUp", button: 0 },
      { type: "pause", duration: 40 },
    ]);
    await this.#driver.send("PerformActions", {
      actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }],
    });
  }

  /**
   * Waits until an expression of the page is true, and returns its value.
   * @throws an Error with the text that the page shows
   */
  async until(what: string, expression: string): Promise<unknown> {
    const script = `
      const [done, patience] = [arguments[1], performance.now() + arguments[0]];
      const look = () => {
        const value = (${expression});
        if (value) done({ value });
        else if (performance.now() > patience) done({ shown: document.body.innerText });
        else setTimeout(look, ${LOOK_MS});
      };
      look();`;
    const outcome = v.parse(Outcome, await this.#driver.send("ExecuteAsyncScript", { script, args: [PATIENCE_MS] }));
    if ("shown" in outcome) throw new Error(`${what}: not in ${PATIENCE_MS / 1000} s. The page shows:\n${outcome.shown}`);
    return outcome.value;
  }

  /** Waits for a text in what people see. */
  async untilText(pattern: RegExp): Promise<void> {
    await this.until(`the text ${pattern}`, `${pattern}.test(document.body.innerText)`);
  }

  /** The colour of a point of the screen: red, green and blue. */
  async colourAt({ x, y }: Point): Promise<readonly [red: number, green: number, blue: number]> {
    const picture = v.parse(v.string(), await this.#driver.send("TakeScreenshot"));
    const script = `
      const [picture, x, y, done] = arguments;
      const image = new Image();
      image.onload = () => {
        const scale = image.naturalWidth / innerWidth;
        const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
        context.drawImage(image, -Math.round(x * scale), -Math.round(y * scale));
        done([...context.getImageData(0, 0, 1, 1).data].slice(0, 3));
      };
      image.src = "data:image/png;base64," + picture;`;
    return v.parse(Colour, await this.#driver.send("ExecuteAsyncScript", { script, args: [picture, x, y] }));
  }

  /** Sends a command to what an XPath finds, once it takes it. */
  async #toElement(command: Command, path: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const givenUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        const found = await this.#driver.send("FindElement", { using: "xpath", value: path });
        const [id] = Object.values(v.parse(ElementReference, found));
        await this.#driver.send(command, { id, ...parameters });
        return;
      } catch (error) {
        const isPassing = error instanceof Error && PASSING.some((fault) => error.message.includes(fault));
        if (!isPassing || performance.now() > givenUpAt) throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
        await delay(LOOK_MS);
      }
    }
  }
}
