import type { JSX } from "preact";

export function KeysPage(): JSX.Element {
  return <div class="page" />;
}
