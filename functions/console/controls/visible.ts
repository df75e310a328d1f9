/**
 * Shows invisible characters (zero-width, and those that change the direction of text) as a sign, so that two names that differ look
 * different.
 */
export function visible(value: string): string {
  return value.replace(/[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "␣");
}
