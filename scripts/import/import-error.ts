/** How many faults of a file are shown; the rest is counted. */
export const FAULTS_SHOWN_MAX = 20;

/** One fault of a file. `where` is `line 17` or `row 17`. */
export interface Fault {
  readonly where: string;
  /** What is wrong, with the column and the value where there are some. */
  readonly says: string;
}

/** Why an import does not happen, in words for the person who asked for it. Nothing was stored. */
export class ImportError extends Error {}

/** A file that is refused whole for its content. `total` counts all faults, `faults` holds the first of them. */
export function badFile(file: string, faults: readonly Fault[], total: number): ImportError {
  const shown = faults.slice(0, FAULTS_SHOWN_MAX).map(({ where, says }) => `  ${where}${says}`);
  const rest = total - shown.length;
  return new ImportError(
    [
      `${file} has ${total === 1 ? "a fault" : `${total.toLocaleString("en")} faults`}, so nothing of it was loaded:`,
      ...shown,
      ...(rest > 0 ? [`  and ${rest.toLocaleString("en")} more`] : []),
    ].join("\n"),
  );
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
