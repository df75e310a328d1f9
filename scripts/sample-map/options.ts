import { parseArgs } from "node:util";
import { checkSize, type SampleSize } from "../../infra/local/sample/cells.ts";

/** The options of `npm run sample-map`. */
export interface SampleMapCommand extends SampleSize {
  readonly help: boolean;
  /** The folder of the pictures. */
  readonly output: string;
  /** The longer side of a picture. */
  readonly pixels: number;
}

/** Parses the command line. Throws a one-line error for an option that is unknown or wrong. */
export function parseSampleMapCommand(args: readonly string[]): SampleMapCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      output: { type: "string", default: ".local/sample-map" },
      seed: { type: "string", default: "1" },
      scale: { type: "string", default: "1" },
      pixels: { type: "string", default: "1600" },
    },
  });
  const [seed, scale, pixels] = [numberOf(values.seed), numberOf(values.scale), numberOf(values.pixels)];
  checkSize({ seed, scale });
  if (!(Number.isInteger(pixels) && pixels >= 200 && pixels <= 5000))
    throw new RangeError(`--pixels must be a whole number from 200 to 5000, not ${JSON.stringify(values.pixels)}`);
  return { help: values.help, output: values.output, seed, scale, pixels };
}

function numberOf(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
