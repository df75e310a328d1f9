import type { JSX } from "preact";

export function DataPage(): JSX.Element {
  return <div class="page" />;
}
