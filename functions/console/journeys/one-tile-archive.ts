const HEADER_BYTES = 127;
const EXTENT = 4096;

/**
 * Returns a PMTiles archive (version 3) with one vector tile, which is the whole world, in which one layer has one polygon that fills it.
 * Source of the format: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export function oneTileArchive(layer: string): Buffer {
  const tile = vectorTile(layer);
  // One entry: tile 0, run of 1, its length, and offset 0 (written plus 1).
  const directory = Buffer.from([...varint(1), ...varint(0), ...varint(1), ...varint(tile.length), ...varint(1)]);
  const metadata = Buffer.from(JSON.stringify({ attribution: "An operator's tiles" }));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles");
  header[7] = 3;
  const metadataAt = HEADER_BYTES + directory.length;
  const tilesAt = metadataAt + metadata.length;
  const numbers = [HEADER_BYTES, directory.length, metadataAt, metadata.length, tilesAt, 0, tilesAt, tile.length, 1, 1, 1];
  for (const [index, value] of numbers.entries()) header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  // Clustered; nothing is compressed; vector tiles; zooms 0 to 0.
  header.set([1, 1, 1, 1, 0, 0], 96);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  return Buffer.concat([header, directory, metadata, tile]);
}

/** A Mapbox Vector Tile with a layer of one square polygon. */
function vectorTile(name: string): Buffer {
  const [moveTo, lineTo, closePath] = [9, 26, 15];
  const square = [moveTo, 0, 0, lineTo, ...[EXTENT, 0, 0, EXTENT, -EXTENT, 0].map(zigzag), closePath];
  const feature = [...varint(0x18), ...varint(3), ...field(4, Buffer.from(square.flatMap(varint)))];
  const layer = [
    ...field(1, Buffer.from(name)),
    ...field(2, Buffer.from(feature)),
    ...varint(0x28),
    ...varint(EXTENT),
    ...varint(0x78),
    ...varint(2),
  ];
  return Buffer.from(field(3, Buffer.from(layer)));
}

/** A length-delimited field of protocol buffers. */
function field(number: number, content: Buffer): number[] {
  return [...varint((number << 3) | 2), ...varint(content.length), ...content];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

function zigzag(value: number): number {
  return (value << 1) ^ (value >> 31);
}
