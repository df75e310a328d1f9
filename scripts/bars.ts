const WIDTH = 40;

/** Prints a line per value, with a bar relative to the largest value; null has no bar. */
export function printBars(values: readonly { readonly label: string; readonly value: number | null }[]): void {
  const most = Math.max(1, ...values.map(({ value }) => value ?? 0));
  const digits = String(most).length;
  for (const { label, value } of values) {
    const bar = "█".repeat(Math.round(((value ?? 0) / most) * WIDTH));
    console.log(`   ${label}  ${String(value ?? "–").padStart(digits)} ${bar}`.trimEnd());
  }
}
