import * as v from "valibot";
import { FOLDER } from "../api/config.ts";
import { text } from "../texts.ts";

/** The files of each part by the source that it begins with. The build writes them into the page. */
const PARTS = v.parse(v.record(v.string(), v.array(v.string())), JSON.parse(document.body.dataset.parts ?? "{}"));
/** For a file that is not there: the local service answers 404, a public bucket that nobody may list 403. */
const GONE: readonly number[] = [403, 404];

/**
 * Fetches the files of a part into the browser's cache, whole. A browser never asks again for a module that it once failed to import, until
 * the page is reloaded, which ends the session: so a part is imported only when all of its files have arrived. Throws an error for people if
 * one of them cannot be had.
 * @param source the file that the part begins with, for example `jobs/jobs-page.tsx`
 */
async function fetchPart(source: string): Promise<void> {
  const files = PARTS[source];
  if (!files) throw new Error(`The page has no part ${source}`);
  await Promise.all(files.map((file) => fetchFile(`${FOLDER}${file}`)));
}

/**
 * Fetches a part and imports it. Throws an error for people.
 * @param source the file that `load` imports, below the console's folder
 */
export async function loadPart<Part>(source: string, load: () => Promise<Part>): Promise<Part> {
  await fetchPart(source);
  return load().catch((cause: unknown) => {
    throw new Error(text("error.partBroken"), { cause });
  });
}

/** Fetches a file into the browser's cache. Throws an error for people. */
export async function fetchFile(address: string): Promise<void> {
  let status: number;
  try {
    const answer = await fetch(address);
    await answer.arrayBuffer();
    if (answer.ok) return;
    status = answer.status;
  } catch {
    throw new Error(text("error.part"));
  }
  throw new Error(text(GONE.includes(status) ? "error.partGone" : "error.part"));
}
