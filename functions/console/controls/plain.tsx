import type { JSX } from "preact";
import { visible } from "./visible.ts";

/** Shows a text that somebody wrote, as it is: markup stays text, and a direction of its own cannot turn the text around it. */
export function Plain({ value, class: name }: { readonly value: string; readonly class?: string }): JSX.Element {
  return <bdi class={name}>{visible(value)}</bdi>;
}
