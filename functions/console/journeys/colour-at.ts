import type { Page } from "playwright-core";

/** Of so many units in each direction a picture holds a whole pixel, whatever its resolution. */
const UNITS = 2;

/** The colour of a point of the screen: red, green and blue. */
export async function colourAt(page: Page, x: number, y: number): Promise<readonly [number, number, number]> {
  const png = await page.screenshot({ clip: { x: whole(x), y: whole(y), width: UNITS, height: UNITS } });
  return page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const context = new OffscreenCanvas(1, 1).getContext("2d");
      context?.drawImage(image, 0, 0);
      const [red = 0, green = 0, blue = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
      return [red, green, blue] as const;
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
}

function whole(units: number): number {
  return Math.round(units / UNITS) * UNITS;
}
