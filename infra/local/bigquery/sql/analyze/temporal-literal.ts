import { quoteText } from "../sql-type.ts";

const DATE = /^(\d{1,4})-(\d{1,2})-(\d{1,2})$/;
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?$/;
const TIMESTAMP = /^(\d{1,4}-\d{1,2}-\d{1,2})(?:[ Tt](\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d{1,6})?))?(.*)$/;
const OFFSET = /^([+-])(\d{1,2})(?::(\d{1,2}))?$/;
const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

function padded(text: string | undefined, length: number): string {
  return (text ?? "").padStart(length, "0");
}

/** Converts GoogleSQL's date text to `YYYY-MM-DD`. Undefined if it is not a date. */
export function canonicalDate(text: string): string | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const canonical = `${padded(match[1], 4)}-${padded(match[2], 2)}-${padded(match[3], 2)}`;
  const date = new Date(`${canonical}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(canonical);
  return exists && canonical >= "0001" ? canonical : undefined;
}

/** Converts a time of day to `HH:MM:SS[.ffffff]`. Undefined if it is not valid. */
export function canonicalTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = match[4] === undefined ? "" : `.${match[4]}`;
  return `${padded(match[1], 2)}:${padded(match[2], 2)}:${padded(match[3], 2)}${fraction}`;
}

/** Converts a civil time to `YYYY-MM-DD HH:MM:SS[.ffffff]`. Undefined if it is not valid. */
export function canonicalDatetime(text: string): string | undefined {
  const match = TIMESTAMP.exec(text);
  const date = match?.[3] === "" ? canonicalDate(match[1] ?? "") : undefined;
  const time = canonicalTime(match?.[2] ?? "00:00:00");
  return date !== undefined && time !== undefined ? `${date} ${time}` : undefined;
}

function offset(text: string): string | undefined {
  const match = OFFSET.exec(text);
  if (!match || Number(match[2]) > 14 || Number(match[3] ?? 0) > 59) return undefined;
  return `${match[1]}${padded(match[2], 2)}:${padded(match[3], 2)}`;
}

/** Parses a GoogleSQL timestamp text into a civil time and its zone. Undefined if it is not valid. */
export function readTimestamp(
  text: string,
): { readonly civil: string; readonly offset: string } | { readonly civil: string; readonly zone: string } | undefined {
  const match = TIMESTAMP.exec(text);
  const rest = match?.[3] ?? "";
  const civil = canonicalDatetime(text.slice(0, text.length - rest.length));
  if (civil === undefined) return undefined;
  const tail = rest.trimStart();
  if (tail === "" || /^[zZ]$/.test(tail)) return rest === "" || tail !== "" ? { civil, offset: "+00:00" } : undefined;
  const shift = offset(tail);
  if (shift !== undefined) return { civil, offset: shift };
  return rest.startsWith(" ") && ZONE.test(tail) ? { civil, zone: tail } : undefined;
}

/** Returns DuckDB SQL of a TIMESTAMP literal. Undefined if the text is not valid. Without a zone it is UTC. */
export function timestampSql(text: string): string | undefined {
  const read = readTimestamp(text);
  if (!read) return undefined;
  if ("zone" in read) return `bq_from_civil(TIMESTAMP '${read.civil}', ${quoteText(read.zone)})`;
  return `CAST('${read.civil}${read.offset}' AS TIMESTAMPTZ)`;
}
