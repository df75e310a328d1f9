import { isUtf8 } from "node:buffer";
import { FAULTS_SHOWN_MAX, type Fault, ImportError } from "./import-error.ts";
import { Utf8Check } from "./utf8-check.ts";

const [LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA] = [0x0a, 0x0d, 0x22, 0x2c];
const HEADER_BYTES_MAX = 1 << 20;
const STRAY_RETURN = "a carriage return without a line feed; lines must end in a line feed";
const OTHER_TEXT = "not UTF-8 text; save the file in UTF-8";

/** Where the scanner is inside a record. */
type State = "start" | "plain" | "quoted" | "after-quote";

/**
 * Scans the bytes of a CSV file (RFC 4180, commas, UTF-8) once for what DuckDB's reader does not report: the line of each record, also
 * after quoted line breaks and blank lines, and every malformed record. Call `feed` with all chunks, then `finish`.
 *
 * With `salvage`, malformed records and those that are not UTF-8 text are no records: `salvage` gets the bytes of the header and of all others.
 */
export class CsvScan {
  /** Column names; empty until the header line has ended. */
  header: readonly string[] = [];
  /** Number of records after the header. */
  records = 0;
  /** Size of the longest record in bytes. */
  longestRecord = 0;
  /** The first malformed records; `faultCount` counts all. */
  readonly faults: Fault[] = [];
  faultCount = 0;
  /** Whether there are quotation marks or carriage returns. */
  hasMarks = false;
  /** Whether there are bytes that are not UTF-8 text. Only a scan with `salvage` says where. */
  hasOtherText = false;

  readonly #salvage: ((record: Uint8Array) => void) | undefined;
  /** The bytes of the current record, of earlier chunks and of the current one from an index on. */
  #earlier: Uint8Array[] = [];
  #chunk: Uint8Array = new Uint8Array();
  #begin = 0;
  #at = 0;
  readonly #utf8 = new Utf8Check();
  readonly #headerBytes: number[] = [];
  /** Where the offset between a record's line and its number changes: the record numbers, and the offset from each on. */
  readonly #from: number[] = [];
  readonly #distance: number[] = [];
  #state: State = "start";
  #line = 1;
  #recordLine = 1;
  #quoteLine = 1;
  #fields = 1;
  #bytes = 0;
  #returned = false;
  #faulty = false;
  #isFirst = true;

  constructor(salvage?: (record: Uint8Array) => void) {
    this.#salvage = salvage;
  }

  /** Returns the line on which a record begins. Records count from 1. */
  lineOf(record: number): number {
    let low = 0;
    for (let high = this.#from.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((this.#from[middle] ?? 0) <= record) low = middle;
      else high = middle;
    }
    return record + (this.#distance[low] ?? 0);
  }

  /** Throws an ImportError if the bytes are no text at all, or begin with no header. */
  feed(chunk: Uint8Array): void {
    this.hasOtherText = !this.#utf8.feed(chunk, this.#line);
    const isMarked = this.#isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    this.#isFirst = false;
    this.#chunk = chunk;
    this.#begin = isMarked ? 3 : 0;
    if (this.#isPlain(chunk)) this.#takePlain(chunk);
    else for (this.#at = this.#begin; this.#at < chunk.length; this.#at++) this.#take(chunk[this.#at] ?? 0);
    if (this.#salvage) this.#earlier.push(chunk.slice(this.#begin));
    this.#chunk = new Uint8Array();
    this.#begin = 0;
    this.#at = -1;
  }

  finish(): void {
    this.hasOtherText = !this.#utf8.finish();
    if (this.#returned) this.#strayReturn();
    if (this.#state === "quoted")
      this.#fault("a quotation mark is opened and never closed; all lines from here on belong to one value", this.#quoteLine);
    else if (this.#bytes > 0) this.#endRecord();
  }

  /** Whether a chunk has only commas and line feeds that mean something, and continues no quoted value. */
  #isPlain(chunk: Uint8Array): boolean {
    const hasMarks = chunk.includes(QUOTE) || chunk.includes(CARRIAGE_RETURN);
    if (hasMarks) this.hasMarks = true;
    const isInside = this.#returned || this.#state === "quoted" || this.#state === "after-quote";
    return !hasMarks && !isInside && this.header.length > 0 && this.#salvage === undefined;
  }

  /** Takes a plain chunk: the same as `#take` of its bytes, several times as fast. */
  #takePlain(chunk: Uint8Array): void {
    const columns = this.header.length;
    let [begin, fields] = [-this.#bytes, this.#fields];
    // Whether the line before is a record of one line, so that the next record's line is as far from its number.
    let follows = false;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === COMMA) fields += 1;
      else if (byte === LINE_FEED) {
        const bytes = at - begin;
        if (follows && fields === columns && bytes > 0) {
          this.records += 1;
          this.#line += 1;
          this.longestRecord = Math.max(this.longestRecord, bytes);
        } else {
          if (this.#bytes === 0) this.#beginRecord();
          this.#bytes = bytes;
          this.#fields = fields;
          this.#endRecord();
          follows = bytes > 0 && this.#recordLine === this.#line - 1;
        }
        [begin, fields] = [at + 1, 1];
      }
    }
    if (begin < chunk.length && this.#bytes === 0) this.#beginRecord();
    this.#bytes = chunk.length - begin;
    this.#fields = fields;
    const last = chunk.at(-1);
    this.#state = last === COMMA || last === LINE_FEED ? "start" : "plain";
  }

  #take(byte: number): void {
    if (this.#returned && byte !== LINE_FEED) this.#strayReturn();
    if (this.header.length === 0) this.#keepHeader(byte);
    if (this.#state === "quoted") {
      if (byte === QUOTE) this.#state = "after-quote";
      if (byte === LINE_FEED) this.#line += 1;
      this.#bytes += 1;
    } else if (byte === LINE_FEED) this.#endRecord();
    else if (byte === CARRIAGE_RETURN) this.#returned = true;
    else {
      if (this.#bytes === 0) this.#beginRecord();
      this.#bytes += 1;
      this.#takeInLine(byte);
    }
  }

  #takeInLine(byte: number): void {
    if (byte === COMMA) {
      this.#fields += 1;
      this.#state = "start";
    } else if (byte === QUOTE) {
      if (this.#state === "plain")
        this.#fault('a quotation mark inside a value that does not begin with one; write "say ""hi""" for say "hi"');
      else if (this.#state === "start") this.#quoteLine = this.#line;
      if (this.#state !== "plain") this.#state = "quoted";
    } else {
      if (this.#state === "after-quote")
        this.#fault("text follows a closing quotation mark; inside a quoted value, write each quotation mark twice");
      this.#state = "plain";
    }
  }

  #beginRecord(): void {
    this.#recordLine = this.#line;
    this.#faulty = false;
  }

  /** A blank line is not a record, unless the file has one column: then it is a record with a missing value. */
  #endRecord(): void {
    const blank = this.#bytes === 0;
    if (blank) this.#beginRecord();
    const bytes = this.#salvage && this.#takeBytes();
    if (this.header.length === 0) this.#endHeader(bytes);
    else if (!blank || this.header.length === 1) this.#endRow(blank, bytes);
    this.#returned = false;
    this.#state = "start";
    this.#fields = 1;
    this.#bytes = 0;
    this.#line += 1;
  }

  #endRow(blank: boolean, bytes: Uint8Array | undefined): void {
    if (this.#fields !== this.header.length && !blank)
      this.#fault(`${this.#fields} ${this.#fields === 1 ? "value" : "values"} where the header has ${this.header.length} columns`);
    if (bytes && !isUtf8(bytes)) this.#fault(OTHER_TEXT);
    if (bytes && !this.#faulty) this.#salvage?.(bytes);
    if (!bytes || !this.#faulty) {
      this.records += 1;
      const distance = this.#recordLine - this.records;
      if (this.#distance.at(-1) !== distance) {
        this.#from.push(this.records);
        this.#distance.push(distance);
      }
    }
    this.longestRecord = Math.max(this.longestRecord, this.#bytes);
  }

  /** Returns the bytes of the record that ends here. */
  #takeBytes(): Uint8Array {
    const bytes = Buffer.concat([...this.#earlier, this.#chunk.subarray(this.#begin, this.#at + 1)]);
    this.#earlier = [];
    this.#begin = this.#at + 1;
    return bytes;
  }

  #keepHeader(byte: number): void {
    this.#headerBytes.push(byte);
    if (this.#headerBytes.length > HEADER_BYTES_MAX) throw new ImportError("line 1: the header is too long: is this a CSV file?");
  }

  #endHeader(bytes: Uint8Array | undefined): void {
    const text = Buffer.from(this.#headerBytes)
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .replace(/\r?\n?$/, "");
    if (text === "") throw new ImportError(`line ${this.#line}: the line is empty; a CSV file begins with its header`);
    if (bytes && !isUtf8(bytes)) throw new ImportError(`line ${this.#line}: ${OTHER_TEXT}`);
    if (bytes) this.#salvage?.(bytes);
    this.header = splitRecord(text);
  }

  #strayReturn(): void {
    if (this.header.length === 0) throw new ImportError(`line ${this.#line}: ${STRAY_RETURN}`);
    this.#returned = false;
    if (this.#bytes === 0) this.#beginRecord();
    this.#bytes += 1;
    this.#fault(STRAY_RETURN);
  }

  #fault(says: string, line = this.#recordLine): void {
    if (this.#faulty) return;
    this.#faulty = true;
    this.faultCount += 1;
    if (this.faults.length < FAULTS_SHOWN_MAX) this.faults.push({ where: `line ${line}`, position: line, says: `: ${says}` });
  }
}

/** Splits a well-formed record into its values. */
function splitRecord(text: string): string[] {
  const values: string[] = [];
  const value = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/y;
  for (let match = value.exec(text); match; match = value.exec(text)) {
    values.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "") break;
  }
  return values;
}
