import { signal } from "@preact/signals";

/** The colours of the map. Those of the page are in `style/colours.css`. */
export interface Palette {
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly boundary: string;
  readonly label: string;
  readonly halo: string;
  readonly accent: string;
  readonly accentStrong: string;
  readonly warning: string;
  readonly fault: string;
  readonly muted: string;
  /** From few to many; told apart by people with any colour vision, and in grey (ColorBrewer YlGnBu; viridis on dark ground). */
  readonly ramp: readonly string[];
}

const LIGHT: Palette = {
  water: "#dce6ec",
  land: "#f7f6f2",
  border: "#c4c1b8",
  boundary: "#d3d0c7",
  label: "#4d5563",
  halo: "#fbfaf7",
  accent: "#12757a",
  accentStrong: "#0b4f53",
  warning: "#a65d00",
  fault: "#b3261e",
  muted: "#7b8494",
  ramp: ["#e3f2c9", "#b5dfc4", "#74c3c6", "#3d97bd", "#2c64a8", "#253480"],
};

const DARK: Palette = {
  water: "#0d1319",
  land: "#1a212a",
  border: "#3a4655",
  boundary: "#2b3541",
  label: "#a9b4c3",
  halo: "#151b23",
  accent: "#4cc0b8",
  accentStrong: "#9be5de",
  warning: "#f0b35a",
  fault: "#ff8a80",
  muted: "#8592a3",
  ramp: ["#29395c", "#2f5f86", "#2c8a92", "#46b087", "#9bd15f", "#f4e643"],
};

const darkness = matchMedia("(prefers-color-scheme: dark)");

/** The palette for the system's setting. */
export const palette = signal<Palette>(darkness.matches ? DARK : LIGHT);
darkness.addEventListener("change", ({ matches }) => {
  palette.value = matches ? DARK : LIGHT;
});
