import type { JSX } from "preact";

export function ExplorePage(): JSX.Element {
  return <div class="page" />;
}
