import type { JSX } from "preact";

/** Outlines on a grid of 24, drawn with the colour of the text. */
const PATHS = {
  maps: "M9 4 3.5 6v14L9 18l6 2 5.5-2V4L15 6 9 4Zm0 0v14m6-12v14",
  explore: "M4 20V10m5.3 10V4m5.4 16v-7M20 20V8",
  jobs: "M12 3v11m0 0-4-4m4 4 4-4M4 17v3h16v-3",
  data: "M4 6h16v14H4V6Zm0 4.500h16M8 3v4m8-4v4",
  keys: "M14.500 9.500a4.500 4.500 0 1 0-4.200 4.490L12 15.700h2v2h2v2.300h4v-3.700l-5.680-5.680c.12-.36.18-.74.18-1.120ZM8.500 8.500h.01",
  polygon: "M12 3.500 20 9.500 17 19.500H7L4 9.500 12 3.500Z",
  rectangle: "M4 6.500h16v11H4v-11Z",
  circle: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Z",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  play: "M7 4.500v15l12-7.500-12-7.500Z",
  pause: "M8 5v14M16 5v14",
  back: "m14 6-6 6 6 6",
  copy: "M9 9h11v11H9V9Zm-5 6V4h11",
  trash: "M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13",
} as const;

export type IconName = keyof typeof PATHS;

/** A small drawing beside a word; it says nothing by itself. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="drawn" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
