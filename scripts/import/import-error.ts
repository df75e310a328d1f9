/** How many errors of a file are shown; the rest is counted. */
export const FAULTS_SHOWN_MAX = 100;

/** One error in a file. `where` is `line 17` or `row 17`, `position` its number. */
export interface Fault {
  readonly where: string;
  readonly position: number;
  /** What is wrong, with the column and the value if there are any. */
  readonly says: string;
}

/** The reason why an import failed, as a message for the operator. Nothing was stored. */
export class ImportError extends Error {}

/** Errors of one kind in a file: `total` counts all of them, `first` holds the first `FAULTS_SHOWN_MAX` in their order. */
export interface Faults {
  readonly first: readonly Fault[];
  readonly total: number;
}

export const NO_FAULTS: Faults = { first: [], total: 0 };

/** Returns the errors of several kinds, in their order in the file. */
export function joinFaults(kinds: readonly Faults[]): Faults {
  const first = kinds.flatMap((kind) => kind.first).toSorted((a, b) => a.position - b.position);
  return { first: first.slice(0, FAULTS_SHOWN_MAX), total: kinds.reduce((sum, { total }) => sum + total, 0) };
}

/** Returns the error of a file that is rejected for its content. */
export function badFile(file: string, { first, total }: Faults): ImportError {
  const shown = first.map(({ where, says }) => `  ${where}${says}`);
  const rest = total - shown.length;
  return new ImportError(
    [
      `${file} has ${total.toLocaleString("en")} ${total === 1 ? "error" : "errors"}. Nothing was loaded:`,
      ...shown,
      ...(rest > 0 ? [`  and ${rest.toLocaleString("en")} more`] : []),
    ].join("\n"),
  );
}
