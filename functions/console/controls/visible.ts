/**
 * Shows characters that nobody sees (zero-width, ignored, those that change the direction of text) as a sign, so that two names that differ look
 * different. Selectors of variants stay: in emojis and Asian scripts they choose what is seen.
 */
export function visible(value: string): string {
  return value.replace(/[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800](?<!\p{Variation_Selector})/gu, "␣");
}
