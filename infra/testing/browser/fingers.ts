import type { Page } from "playwright-core";
import { LONG_PRESS_MS } from "../../../functions/console/maps/long-press.ts";
import type { Point } from "./console-page.ts";

/** Fingers on a page of a context with `hasTouch`. */
export interface Fingers {
  /** Fingers come down, one after another, and go up together. */
  readonly tap: (...at: readonly Point[]) => Promise<void>;
  /** One finger goes from a place to another. */
  readonly drag: (from: Point, to: Point) => Promise<void>;
  /** As `drag`, but the page is told of no long press: on a busy machine the touches may take so long that they are one too. */
  readonly tremble: (from: Point, to: Point) => Promise<void>;
  /** Two fingers go apart, from places to others. The first is half-way when the second comes down. */
  readonly spread: (from: readonly [Point, Point], to: readonly [Point, Point]) => Promise<void>;
  /** A finger rests until the page takes it for a long press. */
  readonly rest: (at: Point) => Promise<void>;
}

const STEPS = 6;

/** Returns the fingers of a page. The browser takes their touches as from a screen. */
export async function fingersOn(page: Page): Promise<Fingers> {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", at: readonly Point[]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: at.map(({ x, y }, id) => ({ x, y, id })) });
  /** Brings fingers down, one after another. */
  const down = async (at: readonly Point[]): Promise<void> => {
    for (let count = 1; count <= at.length; count++) await send("touchStart", at.slice(0, count));
  };
  /** Moves fingers that are down to places, and lifts them. */
  const moveUp = async (from: readonly Point[], to: readonly Point[]): Promise<void> => {
    for (let step = 1; step <= STEPS; step++)
      await send(
        "touchMove",
        from.map((point, finger) => between(point, to[finger] ?? point, step / STEPS)),
      );
    await send("touchEnd", []);
  };
  const drag: Fingers["drag"] = async (from, to) => {
    await down([from]);
    await moveUp([from], [to]);
  };
  return {
    tap: async (...at) => {
      await down(at);
      await send("touchEnd", []);
    },
    drag,
    tremble: async (from, to) => {
      // The browser tells of a long press, and the page times one by itself.
      await page.evaluate(`
        addEventListener("contextmenu", window.unheard = (event) => event.stopImmediatePropagation(), true);
        window.timed = setTimeout;
        window.setTimeout = (run, wait, ...rest) => wait === ${LONG_PRESS_MS} ? 0 : window.timed.call(window, run, wait, ...rest);
      `);
      await drag(from, to);
      await page.evaluate(`
        removeEventListener("contextmenu", window.unheard, true);
        window.setTimeout = window.timed;
      `);
    },
    spread: async ([first, second], to) => {
      await down([first]);
      const slipped = between(first, to[0], 1 / 2);
      await send("touchMove", [slipped]);
      await send("touchStart", [slipped, second]);
      await moveUp([slipped, second], to);
    },
    rest: async (at) => {
      // As text: this module is also checked without the types of a browser.
      const pressed = page.evaluate(
        `new Promise((resolve) => addEventListener("contextmenu", () => resolve(), { capture: true, once: true }))`,
      );
      await down([at]);
      await pressed;
      await send("touchEnd", []);
    },
  };
}

function between(from: Point, to: Point, part: number): Point {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
