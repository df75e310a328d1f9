import { VARCHAR } from "@duckdb/node-api";
import type { NativeFunction } from "./register.ts";

const MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
/** Elements that stand for several others. */
const COMPOUND: Readonly<Record<string, string>> = {
  F: "%Y-%m-%d",
  D: "%m/%d/%y",
  x: "%m/%d/%y",
  T: "%H:%M:%S",
  X: "%H:%M:%S",
  R: "%H:%M",
  c: "%a %b %e %H:%M:%S %Y",
};
const OF_DATE = "YymdejbBhaA";
const OF_TIME = "HkIlMSpP";

interface Fields {
  year: number;
  month: number;
  day: number;
  dayOfYear: number | undefined;
  hour: number;
  twelve: boolean;
  afternoon: boolean | undefined;
  minute: number;
  second: number;
  micros: number;
  /** Minutes east of UTC. */
  offset: number | undefined;
  epoch: number | undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;
  readonly fields: Fields = {
    ...{ year: 1970, month: 1, day: 1, dayOfYear: undefined, hour: 0, twelve: false, afternoon: undefined },
    ...{ minute: 0, second: 0, micros: 0, offset: undefined, epoch: undefined },
  };

  constructor(text: string) {
    this.#text = text.trim();
  }

  get #rest(): string {
    return this.#text.slice(this.#at);
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  blanks(): void {
    this.#at += /^\s*/.exec(this.#rest)?.[0].length ?? 0;
  }

  take(pattern: RegExp): string {
    const found = pattern.exec(this.#rest)?.[0];
    if (found === undefined) throw new Error("mismatch");
    this.#at += found.length;
    return found;
  }

  literal(character: string): void {
    if (!this.#rest.startsWith(character)) throw new Error("mismatch");
    this.#at += character.length;
  }

  number(digits: number, least: number, most: number): number {
    const value = Number(this.take(new RegExp(`^\\d{1,${digits}}`)));
    if (value < least || value > most) throw new Error("out of range");
    return value;
  }

  name(names: readonly string[]): number {
    const lower = this.#rest.toLowerCase();
    const index = names.findIndex((name) => lower.startsWith(name.slice(0, 3)));
    const name = names[index];
    if (name === undefined) throw new Error("mismatch");
    this.#at += lower.startsWith(name) ? name.length : 3;
    return index;
  }
}

const ELEMENTS: Readonly<Record<string, (reader: Reader, fields: Fields) => void>> = {
  Y: (reader, fields) => {
    fields.year = reader.number(4, 0, 9999);
  },
  y: (reader, fields) => {
    const short = reader.number(2, 0, 99);
    fields.year = short + (short < 69 ? 2000 : 1900);
  },
  m: (reader, fields) => {
    fields.month = reader.number(2, 1, 12);
  },
  d: (reader, fields) => {
    fields.day = reader.number(2, 1, 31);
  },
  e: (reader, fields) => {
    reader.blanks();
    fields.day = reader.number(2, 1, 31);
  },
  j: (reader, fields) => {
    fields.dayOfYear = reader.number(3, 1, 366);
  },
  B: (reader, fields) => {
    fields.month = reader.name(MONTHS) + 1;
  },
  A: (reader) => {
    reader.name(WEEKDAYS);
  },
  H: (reader, fields) => {
    fields.hour = reader.number(2, 0, 23);
    fields.twelve = false;
  },
  k: (reader, fields) => {
    reader.blanks();
    fields.hour = reader.number(2, 0, 23);
    fields.twelve = false;
  },
  I: (reader, fields) => {
    fields.hour = reader.number(2, 1, 12);
    fields.twelve = true;
  },
  l: (reader, fields) => {
    reader.blanks();
    fields.hour = reader.number(2, 1, 12);
    fields.twelve = true;
  },
  M: (reader, fields) => {
    fields.minute = reader.number(2, 0, 59);
  },
  S: (reader, fields) => {
    fields.second = reader.number(2, 0, 59);
  },
  p: (reader, fields) => {
    fields.afternoon = reader.take(/^[AaPp][Mm]/).toLowerCase() === "pm";
  },
  s: (reader, fields) => {
    fields.epoch = Number(reader.take(/^-?\d{1,12}/));
  },
  z: (reader, fields) => {
    const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(reader.take(/^[+-]\d\d:?\d\d/)) ?? [];
    fields.offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  },
};
const SAME: Readonly<Record<string, string>> = { b: "B", h: "B", a: "A", P: "p" };

function readSeconds(reader: Reader, digits: number): void {
  reader.fields.second = reader.number(2, 0, 59);
  if (digits === 0) return;
  const fraction = reader.take(new RegExp(`^(?:\\.\\d{1,${digits}})?`));
  reader.fields.micros = fraction === "" ? 0 : Number(fraction.slice(1).padEnd(6, "0").slice(0, 6));
}

function read(reader: Reader, format: string, allowed: string): void {
  for (const [token] of format.matchAll(/%E(?:\d|\*)[SY]|%Ez|%.|\s+|[^%\s]|%/gs)) {
    if (token.startsWith("%")) readElement(reader, token, allowed);
    else if (/^\s/.test(token)) reader.blanks();
    else reader.literal(token);
  }
}

function readElement(reader: Reader, token: string, allowed: string): void {
  const letter = token.slice(1);
  const fraction = /^E(\d|\*)S$/.exec(letter)?.[1];
  const compound = COMPOUND[letter];
  if (letter === "%") reader.literal("%");
  else if (letter === "n" || letter === "t") reader.blanks();
  else if (fraction !== undefined && allowed.includes("S")) readSeconds(reader, fraction === "*" ? 6 : Number(fraction));
  else if (letter === "E4Y" && allowed.includes("Y")) reader.fields.year = Number(reader.take(/^\d{4}/));
  else if (compound !== undefined) read(reader, compound, allowed);
  else {
    const name = letter === "Ez" ? "z" : letter;
    const element = allowed.includes(name) ? ELEMENTS[SAME[name] ?? name] : undefined;
    if (!element) throw new UnsupportedElement(token);
    element(reader, reader.fields);
  }
}

class UnsupportedElement extends Error {
  constructor(element: string) {
    super(`Format element ${element} is not supported here by the local BigQuery`);
  }
}

const padded = (value: number, length = 2): string => String(value).padStart(length, "0");

/** Returns the civil time of what was read, `YYYY-MM-DD HH:MM:SS.ffffff`. Throws for a day that does not exist. */
function civil(fields: Fields): string {
  const { year, minute, second, micros, epoch, dayOfYear } = fields;
  if (epoch !== undefined) return `${new Date(epoch * 1000).toISOString().slice(0, 19).replace("T", " ")}.000000`;
  const hour = fields.twelve || fields.afternoon !== undefined ? (fields.hour % 12) + (fields.afternoon ? 12 : 0) : fields.hour;
  const date = dayOfYear === undefined ? new Date(0) : new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, dayOfYear === undefined ? fields.month - 1 : 0, dayOfYear ?? fields.day);
  if (year < 1 || (dayOfYear === undefined && date.getUTCDate() !== fields.day) || date.getUTCFullYear() !== year)
    throw new Error("no such day");
  const day = `${padded(year, 4)}-${padded(date.getUTCMonth() + 1)}-${padded(date.getUTCDate())}`;
  return `${day} ${padded(hour)}:${padded(minute)}:${padded(second)}.${padded(micros, 6)}`;
}

/**
 * Parses a text by a format of GoogleSQL. Returns its civil time and, after a bar, the minutes east of UTC that the text names, or nothing.
 */
function parseTime(kind: string, format: string, text: string): string {
  const allowed = kind === "DATE" ? OF_DATE : kind === "TIME" ? OF_TIME : OF_DATE + OF_TIME + (kind === "TIMESTAMP" ? "sz" : "");
  const reader = new Reader(text);
  try {
    read(reader, format.trim(), allowed);
    if (!reader.done) throw new Error("trailing text");
    const { offset, epoch } = reader.fields;
    return `${civil(reader.fields)}|${epoch === undefined ? (offset ?? "") : 0}`;
  } catch (error) {
    if (error instanceof UnsupportedElement) throw error;
    throw new Error(`Failed to parse input string "${text}"`);
  }
}

export const PARSE_TIME: readonly NativeFunction[] = [
  {
    name: "bq_parse",
    parameterTypes: [VARCHAR, VARCHAR, VARCHAR],
    returnType: VARCHAR,
    of: (kind, format, text) => parseTime(String(kind), String(format), String(text)),
  },
];
