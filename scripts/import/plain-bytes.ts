import type { PlainColumn } from "./plain-columns.ts";

const BYTES = 256;
const [COMMA, LINE_FEED, MINUS, ZERO, NINE] = [0x2c, 0x0a, 0x2d, 0x30, 0x39];

/** Rows with the same listed texts. */
export interface RowGroup {
  /** The texts of the listed columns, in their order. */
  readonly texts: readonly string[];
  readonly rows: number;
  /** How many of their whole numbers are negative; those of columns that are not signed never are. */
  readonly negatives: number;
}

/** Returns whether a byte may occur in a plain file behind its header. */
export function plainBytes(columns: readonly PlainColumn[]): (byte: number) => boolean {
  const texts = columns.flatMap(({ marks, listed = [] }) => [marks, ...listed]);
  const bytes = new Set(Buffer.from(["0123456789,-\n", ...texts].join("")));
  return (byte) => bytes.has(byte);
}

/**
 * Returns whether rows of sound values were written in plain text: each line with just these values, each whole number with digits and at most a
 * minus sign. All that the rows must have in the file is counted, so what is there besides it shows as one more of some byte.
 * @param counts how often each byte occurs in the file behind its header
 * @param last the last byte of the file
 */
export function isWrittenPlainly(
  columns: readonly PlainColumn[],
  groups: readonly RowGroup[],
  { counts, last }: { readonly counts: readonly number[]; readonly last: number | undefined },
): boolean {
  const expected = Array.from({ length: BYTES }, () => 0);
  const expect = (byte: number, count: number): void => {
    expected[byte] = (expected[byte] ?? 0) + count;
  };
  for (const { texts, rows, negatives } of groups) {
    expect(COMMA, rows * (columns.length - 1));
    expect(LINE_FEED, rows);
    expect(MINUS, negatives);
    for (const byte of Buffer.from([...columns.map(({ marks }) => marks), ...texts].join(""))) expect(byte, rows);
  }
  if (last !== LINE_FEED) expect(LINE_FEED, -1);
  return expected.every((count, byte) => count === counts[byte] || (byte >= ZERO && byte <= NINE));
}
