/** Another form of the file gets another number; a program reads its own only. */
const VERSION = 1;

/** The first line of a journal: what it is, in which version, and of which product. */
export function fileHeader(product: string): Buffer {
  return Buffer.from(`populus journal ${VERSION} ${product}\n`);
}

/** Throws one line unless a file's beginning is the header of this version and product. */
export function checkFileHeader(file: string, beginning: Buffer, product: string): void {
  const expected = fileHeader(product);
  if (beginning.subarray(0, expected.length).equals(expected)) return;
  const [, version, other] = /^populus journal (\d+) ([a-z]+)\n/.exec(beginning.toString("latin1")) ?? [];
  const what =
    version === undefined
      ? "does not begin as a journal does: it is another file, or damaged"
      : Number(version) !== VERSION
        ? `is of version ${version}, and this program reads version ${VERSION}`
        : `is the journal of ${other}, not of ${product}`;
  throw new Error(`${file} ${what}. Start with another data folder, or delete the file and lose all that it holds`);
}
