import { encodePng } from "./png.ts";

export type Colour = readonly [red: number, green: number, blue: number];
export type Pixel = readonly [x: number, y: number];

/** Each pixel of the picture is the mean of this many pixels squared, so that edges are smooth. */
const OVERSAMPLING = 3;

/** A picture to draw polygons and lines on. Positions are pixels from the top left, in fractions. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #pixels: Uint8Array;

  constructor(width: number, height: number, background: Colour) {
    [this.width, this.height] = [Math.ceil(width), Math.ceil(height)];
    [this.#columns, this.#rows] = [this.width * OVERSAMPLING, this.height * OVERSAMPLING];
    this.#pixels = new Uint8Array(this.#columns * this.#rows * 3);
    for (let index = 0; index < this.#columns * this.#rows; index++) this.#pixels.set(background, index * 3);
  }

  /** Fills what an odd number of rings' edges separates from the outside. */
  fill(rings: readonly (readonly Pixel[])[], colour: Colour): void {
    const crossings = new Map<number, number[]>();
    for (const ring of rings)
      for (const [index, [x1, y1]] of ring.entries()) {
        const [x0, y0] = ring.at(index - 1) ?? [x1, y1];
        const [[ax, ay], [bx, by]] = y0 < y1 ? [scaled(x0, y0), scaled(x1, y1)] : [scaled(x1, y1), scaled(x0, y0)];
        const first = Math.max(0, Math.ceil(ay - 0.5));
        for (let row = first; row + 0.5 < by && row < this.#rows; row++) {
          const x = ax + ((bx - ax) * (row + 0.5 - ay)) / (by - ay);
          crossings.set(row, [...(crossings.get(row) ?? []), x]);
        }
      }
    for (const [row, xs] of crossings) {
      const sorted = xs.sort((a, b) => a - b);
      for (let index = 1; index < sorted.length; index += 2)
        this.#paint(row, Math.round(sorted[index - 1] ?? 0), Math.round(sorted[index] ?? 0), colour);
    }
  }

  /** Draws a line of a width. */
  line(path: readonly Pixel[], width: number, colour: Colour): void {
    for (const [index, [x1, y1]] of path.entries()) {
      const [x0, y0] = path[index - 1] ?? [x1, y1];
      const length = Math.hypot(x1 - x0, y1 - y0);
      if (length > 0) {
        const [dx, dy] = [((y0 - y1) / length) * (width / 2), ((x1 - x0) / length) * (width / 2)];
        const sides: Pixel[] = [
          [x0 + dx, y0 + dy],
          [x1 + dx, y1 + dy],
          [x1 - dx, y1 - dy],
          [x0 - dx, y0 - dy],
        ];
        this.fill([sides], colour);
      }
      this.disc([x1, y1], width / 2, colour);
    }
  }

  disc([x, y]: Pixel, radius: number, colour: Colour): void {
    const corners = Math.max(8, Math.ceil(radius * 4));
    this.fill(
      [
        Array.from({ length: corners }, (_, index): Pixel => {
          const angle = (2 * Math.PI * index) / corners;
          return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
        }),
      ],
      colour,
    );
  }

  png(): Buffer {
    const pixels = new Uint8Array(this.width * this.height * 3);
    for (let y = 0; y < this.height; y++)
      for (let x = 0; x < this.width; x++)
        for (let channel = 0; channel < 3; channel++) {
          let sum = 0;
          for (let row = 0; row < OVERSAMPLING; row++)
            for (let column = 0; column < OVERSAMPLING; column++)
              sum += this.#pixels[((y * OVERSAMPLING + row) * this.#columns + x * OVERSAMPLING + column) * 3 + channel] ?? 0;
          pixels[(y * this.width + x) * 3 + channel] = Math.round(sum / OVERSAMPLING ** 2);
        }
    return encodePng(this.width, this.height, pixels);
  }

  #paint(row: number, from: number, to: number, colour: Colour): void {
    for (let column = Math.max(0, from); column < Math.min(to, this.#columns); column++)
      this.#pixels.set(colour, (row * this.#columns + column) * 3);
  }
}

function scaled(x: number, y: number): Pixel {
  return [x * OVERSAMPLING, y * OVERSAMPLING];
}
