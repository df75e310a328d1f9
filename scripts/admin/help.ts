import { verbs } from "./catalogue.ts";
import { COMMON_HELP } from "./options.ts";
import { COMMAND } from "./usage-error.ts";
import type { Verb } from "./verb.ts";

/** Returns the help of the whole tool, or of the verbs of one noun. */
export function helpOf(noun?: string): string {
  const shown = Object.entries(verbs).filter(([name]) => noun === undefined || name.startsWith(`${noun} `));
  const width = Math.max(...shown.map(([name]) => name.length));
  return `Usage: ${COMMAND} ${noun ?? "NOUN"} VERB [options]

${shown.map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`).join("\n")}

Every command has its own --help.
`;
}

/** Returns the help of one verb. */
export function helpOfVerb(name: string, does: string, { words, more }: Verb): string {
  return `Usage: ${COMMAND} ${name}${words ? ` ${words}` : ""} [options]

${does}

${more ? `${more}\n` : ""}${COMMON_HELP}`;
}
