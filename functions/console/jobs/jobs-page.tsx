import type { JSX } from "preact";

export function JobsPage(): JSX.Element {
  return <div class="page" />;
}
