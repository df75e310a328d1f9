/** Increase it with every change of the file format. A program reads only its own version. */
const VERSION = 1;

/** Returns the first line of a journal: its type, version and product. */
export function fileHeader(product: string): Buffer {
  return Buffer.from(`populus journal ${VERSION} ${product}\n`);
}

/** Throws a one-line error unless the file starts with the header of this version and product. */
export function checkFileHeader(file: string, beginning: Buffer, product: string): void {
  const expected = fileHeader(product);
  if (beginning.subarray(0, expected.length).equals(expected)) return;
  const [, version, other] = /^populus journal (\d+) ([a-z]+)\n/.exec(beginning.toString("latin1")) ?? [];
  const what =
    version === undefined
      ? "does not start like a journal: it is another file, or damaged"
      : Number(version) !== VERSION
        ? `has version ${version}, but this program reads version ${VERSION}`
        : `is the journal of ${other}, not of ${product}`;
  throw new Error(`${file} ${what}. Start with another data folder, or delete the file and lose all its data`);
}
