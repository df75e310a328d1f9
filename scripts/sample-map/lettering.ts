import type { Canvas, Colour, Pixel } from "./canvas.ts";

/** Letters of 5 by 7 dots: five columns, the lowest bit at the top. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ A: "7e1111117e", B: "7f49494936", C: "3e41414122", D: "7f4141221c", E: "7f49494941", F: "7f09090901", G: "3e4149497a" },
  ...{ H: "7f0808087f", I: "00417f4100", J: "2040413f01", K: "7f08142241", L: "7f40404040", M: "7f020c027f", N: "7f0408107f" },
  ...{ O: "3e4141413e", P: "7f09090906", Q: "3e4151215e", R: "7f09192946", S: "4649494931", T: "01017f0101", U: "3f4040403f" },
  ...{ V: "1f2040201f", W: "3f4038403f", X: "6314081463", Y: "0708700807", Z: "6151494543" },
  ...{ a: "2054545478", b: "7f48444438", c: "3844444420", d: "384444487f", e: "3854545418", f: "087e090102", g: "0c5252523e" },
  ...{ h: "7f08040478", i: "00447d4000", j: "2040443d00", k: "7f10284400", l: "00417f4000", m: "7c04180478", n: "7c08040478" },
  ...{ o: "3844444438", p: "7c14141408", q: "081414187c", r: "7c08040408", s: "4854545420", t: "043f444020", u: "3c4040207c" },
  ...{ v: "1c2040201c", w: "3c4030403c", x: "4428102844", y: "0c5050503c", z: "4464544c44" },
  ...{ "-": "0808080808", "–": "0808080808", "'": "0005030000", " ": "0000000000", ",": "0050300000", ".": "0060600000" },
  ...{ "0": "3e5149453e", "1": "00427f4000", "2": "4261514946", "3": "2141454b31", "4": "1814127f10", "5": "2745454539" },
  ...{
    "6": "3c4a494930",
    "7": "0171090503",
    "8": "3649494936",
    "9": "064949291e",
    ø: "3864544c38",
    Ø: "3e5149453e",
    æ: "2454784854",
    Æ: "7e097f4949",
  },
};
/** Dots of marks over and under letters, from the middle of the letter: across, and up from its top or down from its foot. */
const MARKS: Readonly<Record<string, { readonly isAbove: boolean; readonly dots: readonly Pixel[] }>> = {
  "\u0308": {
    isAbove: true,
    dots: [
      [-1, 2],
      [1, 2],
    ],
  },
  "\u0303": {
    isAbove: true,
    dots: [
      [-2, 2],
      [-1, 3],
      [0, 2],
      [1, 2],
      [2, 3],
    ],
  },
  "\u0304": {
    isAbove: true,
    dots: [
      [-1, 2],
      [0, 2],
      [1, 2],
    ],
  },
  "\u030c": {
    isAbove: true,
    dots: [
      [-1, 3],
      [0, 2],
      [1, 3],
    ],
  },
  "\u0301": {
    isAbove: true,
    dots: [
      [0, 2],
      [1, 3],
    ],
  },
  "\u030a": {
    isAbove: true,
    dots: [
      [0, 4],
      [-1, 3],
      [1, 3],
      [0, 2],
    ],
  },
  "\u0327": {
    isAbove: false,
    dots: [
      [0, 2],
      [0, 3],
    ],
  },
};
/** Letters that reach under the line, and by how many dots. */
const DESCENDING: Readonly<Record<string, number>> = { g: 2, j: 2, p: 2, q: 2, y: 2 };
const ADVANCE = 6;

/** Returns the width of a text in pixels, with letters of `dot` pixels a dot. */
export function widthOf(text: string, dot: number): number {
  return (lettersOf(text).length * ADVANCE - 1) * dot;
}

/** Draws a text whose first letter begins at a position, its foot at the position's height, with a border in another colour around it. */
export function write(canvas: Canvas, text: string, [x, y]: Pixel, dot: number, colour: Colour, border: Colour): void {
  const dots = lettersOf(text).flatMap(({ letter, marks }, index) =>
    dotsOf(letter, marks).map(([column, row]): Pixel => [x + (index * ADVANCE + column) * dot, y + (row - 7) * dot]),
  );
  for (const [left, top] of dots) square(canvas, left - dot, top - dot, 3 * dot, border);
  for (const [left, top] of dots) square(canvas, left, top, dot, colour);
}

function square(canvas: Canvas, x: number, y: number, side: number, colour: Colour): void {
  canvas.fill(
    [
      [
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
      ],
    ],
    colour,
  );
}

/** Returns the letters of a text, each with its marks. Throws an error for a letter that cannot be drawn. */
function lettersOf(text: string): { letter: string; marks: string[] }[] {
  const letters: { letter: string; marks: string[] }[] = [];
  for (const character of text.normalize("NFD"))
    if (character in MARKS) letters.at(-1)?.marks.push(character);
    else if (character in LETTERS) letters.push({ letter: character, marks: [] });
    else throw new Error(`there is no letter ${JSON.stringify(character)} for ${text}`);
  return letters;
}

function dotsOf(letter: string, marks: readonly string[]): Pixel[] {
  const columns = (LETTERS[letter] ?? "").match(/../g) ?? [];
  // A letter with a mark above has no dot of its own.
  const isDotless = letter === "i" && marks.some((mark) => MARKS[mark]?.isAbove);
  const dots = columns.flatMap((bits, column) =>
    Array.from({ length: 7 }, (_, row) => row)
      .filter((row) => (Number.parseInt(bits, 16) >> row) & 1 && !(isDotless && row === 0))
      .map((row): Pixel => [column, row + (DESCENDING[letter] ?? 0)]),
  );
  const top = Math.min(...dots.map(([, row]) => row));
  const foot = Math.max(...dots.map(([, row]) => row));
  const ofMarks = marks.flatMap((mark) => {
    const { isAbove = true, dots: at = [] } = MARKS[mark] ?? {};
    return at.map(([across, away]): Pixel => [2 + across, isAbove ? top - away : foot + away - 1]);
  });
  return [...dots, ...ofMarks];
}
