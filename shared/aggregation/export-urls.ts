import * as v from "valibot";
import { invalidFields } from "../http/errors.ts";
import { Timestamp } from "../http/fields.ts";
import { pointerTo } from "../http/json-pointer.ts";
import { Cursor, NextCursor } from "../http/paging.ts";
import { ExportFile } from "../jobs/job-result.ts";

const URLS_PER_PAGE = 100;
const FILES_MAX = 1000;
const SECONDS = { default: 900, max: 3600 };

const seconds = () => `must be a whole number of seconds from 1 to ${SECONDS.max.toLocaleString("en")}`;

/** The body of `POST /data-agg/results/{job_id}/urls`, which may be left out. */
export const UrlsBody = v.pipe(
  v.strictObject({
    files: v.optional(
      v.pipe(
        v.array(v.pipe(v.string("must be a file's name"), v.minLength(1, "must be a file's name")), "must be an array of files' names"),
        v.minLength(1, "must name at least one file"),
        v.maxLength(FILES_MAX, () => `must name at most ${FILES_MAX.toLocaleString("en")} files`),
        v.description("Names of files of the results; all files when left out"),
      ),
    ),
    expires_in: v.optional(
      v.pipe(
        v.number(seconds),
        v.integer(seconds),
        v.minValue(1, seconds),
        v.maxValue(SECONDS.max, seconds),
        v.description("For how many seconds the URLs are valid"),
      ),
      SECONDS.default,
    ),
    cursor: v.optional(Cursor),
  }),
  v.title("SignUrls"),
);

/** A page of URLs, in the order of the results. */
export const UrlsResponse = v.pipe(
  v.strictObject({
    urls: v.pipe(
      v.array(
        v.pipe(
          v.strictObject({
            ...ExportFile.entries,
            url: v.pipe(v.string(), v.url(), v.description("Reads the file by GET, without any header; anyone who has it can")),
            expires_at: Timestamp,
          }),
          v.title("SignedUrl"),
        ),
      ),
      v.maxLength(URLS_PER_PAGE),
    ),
    next_cursor: NextCursor,
  }),
  v.title("SignedUrls"),
);

interface FilePage {
  readonly files: readonly ExportFile[];
  readonly next: string | null;
}

/**
 * Returns the page after a cursor of the files that a request names, or of all. Throws `invalid_argument` that lists the names which are no
 * files of the results, or for a cursor of another list.
 */
export function pageOfFiles(files: readonly ExportFile[], names: readonly string[] | undefined, cursor: string | undefined): FilePage {
  const known = new Set(files.map(({ name }) => name));
  const unknown = (names ?? []).flatMap((name, index) =>
    known.has(name)
      ? []
      : [{ pointer: pointerTo(["files", index]), detail: "is not a file of this job's results, which list their names" }],
  );
  if (unknown.length > 0) throw invalidFields(unknown);
  const wanted = new Set(names ?? known);
  const chosen = files.filter(({ name }) => wanted.has(name));
  const start = cursor === undefined ? 0 : 1 + chosen.findIndex(({ name }) => cursorOf(name) === cursor);
  if (cursor !== undefined && start === 0)
    throw invalidFields([{ pointer: "/cursor", detail: "must be a next_cursor of this job's URLs, for the same files" }]);
  const page = chosen.slice(start, start + URLS_PER_PAGE);
  const last = page.at(-1);
  return { files: page, next: last && start + page.length < chosen.length ? cursorOf(last.name) : null };
}

function cursorOf(name: string): string {
  return Buffer.from(name).toString("base64url");
}
