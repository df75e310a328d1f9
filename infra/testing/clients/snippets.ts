import { type ClientBlock, clientBlocks } from "../../../scripts/documents/fences.ts";
import { PAGES_WITH_COMMANDS, readPage } from "../../../scripts/documents/pages.ts";
import { textDifference } from "../../../scripts/documents/shape.ts";
import type { Check, CheckContext } from "./client.ts";

/** Every block of the pages that a client runs. */
export function allSnippets(): ClientBlock[] {
  return PAGES_WITH_COMMANDS.flatMap((page) => clientBlocks(page, readPage(page)));
}

/**
 * Returns a quick check for each block of the pages that names the client: it runs, and prints what the page shows.
 * @param run runs the block and returns its output; throws an Error if it fails
 */
export function snippetChecks(client: string, run: (snippet: ClientBlock, context: CheckContext) => Promise<string>): Check[] {
  const snippets = allSnippets().filter((snippet) => snippet.client === client);
  return snippets.map((snippet, index) => ({
    name: `${snippet.page}: block ${index + 1}`,
    quick: true,
    run: async (context) => {
      const output = await run(snippet, context);
      const difference = snippet.output === undefined ? undefined : textDifference(snippet.output, output);
      if (difference !== undefined)
        throw new Error(
          `${snippet.page}:${snippet.line} shows another output than the real one.\n  ${difference}\nReal output:\n${output}`,
        );
    },
  }));
}
