import { verbs } from "./catalogue.ts";
import { COMMON_HELP } from "./options.ts";
import { COMMAND } from "./usage-error.ts";
import type { Verb } from "./verb.ts";

/** The help of the whole tool, or of one noun's verbs. */
export function helpOf(noun?: string): string {
  const shown = Object.entries(verbs).filter(([name]) => noun === undefined || name.startsWith(`${noun} `));
  const width = Math.max(...shown.map(([name]) => name.length));
  return `Usage: ${COMMAND} ${noun ?? "NOUN"} VERB [options]

${shown.map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`).join("\n")}

Each has a --help of its own.
`;
}

/** The help of one verb. */
export function helpOfVerb(name: string, does: string, { words, more }: Verb): string {
  return `Usage: ${COMMAND} ${name}${words ? ` ${words}` : ""} [options]

${does}

${more ? `${more}\n` : ""}${COMMON_HELP}`;
}
