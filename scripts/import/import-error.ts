/** How many errors of a file are shown; the rest is counted. */
export const FAULTS_SHOWN_MAX = 20;

/** One error in a file. `where` is `line 17` or `row 17`. */
export interface Fault {
  readonly where: string;
  /** What is wrong, with the column and the value if there are any. */
  readonly says: string;
}

/** The reason why an import failed, as a message for the operator. Nothing was stored. */
export class ImportError extends Error {}

/** Returns the error of a file that is rejected for its content. `total` counts all errors; `faults` holds the first ones. */
export function badFile(file: string, faults: readonly Fault[], total: number): ImportError {
  const shown = faults.slice(0, FAULTS_SHOWN_MAX).map(({ where, says }) => `  ${where}${says}`);
  const rest = total - shown.length;
  return new ImportError(
    [
      `${file} has ${total.toLocaleString("en")} ${total === 1 ? "error" : "errors"}. Nothing was loaded:`,
      ...shown,
      ...(rest > 0 ? [`  and ${rest.toLocaleString("en")} more`] : []),
    ].join("\n"),
  );
}

/** Returns the message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
