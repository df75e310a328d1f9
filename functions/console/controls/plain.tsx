import type { JSX } from "preact";

/**
 * Shows a text that a customer wrote, as it is: markup stays text, and a direction of its own cannot turn the text around it. Invisible
 * characters (zero-width, and those that change the direction) are shown as a sign, so that two names that differ look different.
 */
export function Plain({ value, class: name }: { readonly value: string; readonly class?: string }): JSX.Element {
  return <bdi class={name}>{visible(value)}</bdi>;
}

/** Replaces invisible characters by a sign. */
export function visible(value: string): string {
  return value.replace(/[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "␣");
}
