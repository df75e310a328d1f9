import { messageOf } from "../../../../shared/runtime/error-message.ts";
import { BigQueryError, type ExportOptions } from "../model.ts";
import type { ExportSink, StagedObject } from "./sink.ts";

const CONTENT_TYPES = { CSV: "text/csv", JSON: "application/json", PARQUET: "application/vnd.apache.parquet" } as const;
const NUMBER_DIGITS = 12;

/** The files of one export: `gs://bucket/before*after`, with the star replaced by 000000000000, 000000000001, … */
export class Destination {
  readonly #sink: ExportSink;
  readonly #bucket: string;
  readonly #before: string;
  readonly #after: string;
  readonly #contentType: string;
  readonly #staged: StagedObject[] = [];

  /** Throws `invalidQuery` unless the URI has a bucket and exactly one star, in the object's name. */
  constructor(sink: ExportSink, options: ExportOptions) {
    const match = /^gs:\/\/([^/*]+)\/([^*]*)\*([^*]*)$/.exec(options.uri);
    const [, bucket, before, after] = match ?? [];
    if (bucket === undefined || before === undefined || after === undefined)
      throw new BigQueryError(
        "invalidQuery",
        `Option 'uri' must be a Cloud Storage URI with exactly one wildcard '*' in the object name: ${options.uri}`,
      );
    this.#sink = sink;
    this.#bucket = bucket;
    this.#before = before;
    this.#after = after;
    this.#contentType = options.compression === "GZIP" && options.format !== "PARQUET" ? "application/gzip" : CONTENT_TYPES[options.format];
  }

  /** Throws `duplicate` if files with that pattern exist, `notFound` if the bucket does not exist. */
  async assertEmpty(): Promise<void> {
    for await (const { name } of this.#files())
      throw new BigQueryError("duplicate", `Already Exists: gs://${this.#bucket}/${name}; set overwrite=true to replace files.`);
  }

  /** Removes the files with that pattern that were stored at or after an instant (milliseconds since 1970). */
  async removeSince(instant: number): Promise<void> {
    const files: string[] = [];
    for await (const { name, timeCreated } of this.#files()) if (Date.parse(timeCreated) >= instant) files.push(name);
    for (const name of files) await this.#sink.delete(this.#bucket, name);
  }

  async *#files(): AsyncGenerator<{ readonly name: string; readonly timeCreated: string }> {
    const numbered = (name: string) => /^\d+$/.test(name.slice(this.#before.length, name.length - this.#after.length));
    for (let pageToken: string | undefined, isLast = false; !isLast; ) {
      const options = { prefix: this.#before, ...(pageToken === undefined ? {} : { pageToken }) };
      const page = await this.#asQueryErrors(async () => this.#sink.list(this.#bucket, options));
      for (const file of page.items) if (file.name.endsWith(this.#after) && numbered(file.name)) yield file;
      pageToken = page.nextPageToken;
      isLast = pageToken === undefined;
    }
  }

  /** Stages the file with this number, counted from 0. It is invisible until `commit`. Returns its path. */
  async stage(index: number): Promise<string> {
    const name = `${this.#before}${String(index).padStart(NUMBER_DIGITS, "0")}${this.#after}`;
    const staged = await this.#asQueryErrors(() => this.#sink.create(this.#bucket, name, { contentType: this.#contentType }));
    this.#staged.push(staged);
    return staged.path;
  }

  /** Publishes all files. Returns their number. */
  async commit(): Promise<number> {
    // Commit in parallel, since each commit waits for the disk.
    const committed = await Promise.allSettled(this.#staged.map((staged) => staged.commit()));
    for (const outcome of committed) if (outcome.status === "rejected") throw outcome.reason;
    return this.#staged.length;
  }

  async abort(): Promise<void> {
    for (const staged of this.#staged) await staged.abort();
  }

  /** Runs work and converts an error of Cloud Storage to an error of the query's URI. */
  async #asQueryErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const text = messageOf(error);
      throw new BigQueryError("notFound", `Not found: URI gs://${this.#bucket}/${this.#before}*${this.#after}: ${text}`);
    }
  }
}
