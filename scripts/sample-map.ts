import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampleCells } from "../infra/local/sample/cells.ts";
import { countryMaps } from "../infra/local/sample/map/country-map.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { drawCountry } from "./sample-map/draw-country.ts";
import { parseSampleMapCommand } from "./sample-map/options.ts";
import { SAMPLE_MAP_USAGE } from "./usage.ts";

/** Draws the sample of each country as a PNG. */
function main(): void {
  const { help, output, pixels, ...size } = parseSampleMapCommand(process.argv.slice(2));
  if (help) return void process.stdout.write(SAMPLE_MAP_USAGE);
  mkdirSync(output, { recursive: true });
  const cells = Map.groupBy(sampleCells(size), ({ country }) => country);
  for (const map of countryMaps()) {
    const { code } = map.country;
    const file = join(output, `${code}.png`);
    writeFileSync(file, drawCountry(map, cells.get(code) ?? [], pixels));
    console.log(file);
  }
}

try {
  main();
} catch (error) {
  console.error(`${messageOf(error)}\n\n${SAMPLE_MAP_USAGE}`);
  process.exitCode = 2;
}
