/** Returns the column of a table that a file's header names, whatever the letter case and the blanks around: no two columns of a table differ in these alone. */
export function columnName(text: string): string {
  return text.trim().toLowerCase();
}
