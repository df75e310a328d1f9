import type { Map as MapLibre } from "maplibre-gl";

const SIZE = 16;

/** Adds the picture `hatch` for fills: diagonal lines, which stand for what is withheld. */
export function addHatch(map: MapLibre, colour: string): void {
  if (!map.hasImage("hatch")) map.addImage("hatch", diagonals(colour), { pixelRatio: 2 });
}

function diagonals(colour: string): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext("2d");
  if (!context) return new ImageData(SIZE, SIZE);
  context.strokeStyle = colour;
  context.lineWidth = 1.6;
  for (const offset of [-SIZE, 0, SIZE]) {
    context.beginPath();
    context.moveTo(offset - 2, SIZE + 2);
    context.lineTo(offset + SIZE + 2, -2);
    context.stroke();
  }
  return context.getImageData(0, 0, SIZE, SIZE);
}
