import { castSql } from "../analyze/cast.ts";
import { coerce } from "../analyze/coerce.ts";
import type { Value } from "../analyze/value.ts";
import { arrayOf } from "../sql-type.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";

/** CONCAT: null if any argument is null. Numbers and dates become strings as with CAST. */
const concat: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  if (values.length === 0) throw noMatch(call, env, values);
  const bytes = values.every((value) => value.type === "BYTES");
  const text = (value: Value) => {
    const sql = bytes
      ? value.sql
      : value.type === "BYTES"
        ? undefined
        : value.type === "NULL"
          ? "CAST(NULL AS VARCHAR)"
          : castSql(value, "STRING", false);
    if (sql === undefined) throw noMatch(call, env, values);
    return sql;
  };
  return { sql: `(${values.map(text).join(" || ")})`, type: bytes ? "BYTES" : "STRING", at: call.at };
};

/** LPAD and RPAD, with a blank if no pattern is given. */
function pad(name: "lpad" | "rpad") {
  const sql = (s?: string, n?: string, pattern = "' '") =>
    `${name}(${s}, bq_pad_size(bq_at_least(${n}, 0, 'Second argument (output size) for LPAD/RPAD cannot be negative')), bq_pad_pattern(${pattern}))`;
  return scalar(signature(["STRING", "INT64"], "STRING", sql), signature(["STRING", "INT64", "STRING"], "STRING", sql));
}

/** CHAR_LENGTH and LENGTH count code points; of BYTES, bytes. */
const length = scalar(
  signature(["STRING"], "INT64", (s) => `length(${s})`),
  signature(["BYTES"], "INT64", (s) => `octet_length(${s})`),
);

const characters = scalar(signature(["STRING"], "INT64", (s) => `length(${s})`));

const bytes = scalar(
  signature(["STRING"], "INT64", (s) => `strlen(${s})`),
  signature(["BYTES"], "INT64", (s) => `octet_length(${s})`),
);

const substring = scalar(
  signature(["STRING", "INT64"], "STRING", (s, p) => `bq_from_position(${s}, ${p})`),
  signature(["STRING", "INT64", "INT64"], "STRING", (s, p, n) => `bq_substr(${s}, ${p}, ${n})`),
);

function trim(name: "ltrim" | "rtrim") {
  return scalar(
    signature(["STRING"], "STRING", (s) => `bq_${name}(${s})`),
    signature(["STRING", "STRING"], "STRING", (s, set) => `${name}(${s}, ${set})`),
  );
}

function hash(name: string) {
  return scalar(
    signature(["STRING"], "BYTES", (s) => `unhex(${name}(${s}))`),
    signature(["BYTES"], "BYTES", (s) => `unhex(${name}(${s}))`),
  );
}

/** NORMALIZE(text[, form]) and NORMALIZE_AND_CASEFOLD, where the form is a bare word. */
const normalizeBy =
  (macro: "bq_normalize" | "bq_casefold"): Implementation =>
  (call, env) => {
    const [first, second, ...others] = call.args;
    const value = first && env.value(first);
    const sql = value && coerce(value, "STRING");
    const form =
      second === undefined ? "NFC" : second.kind === "path" && second.names.length === 1 ? (second.names[0] ?? "").toUpperCase() : "";
    if (sql === undefined || others.length > 0 || !["NFC", "NFD", "NFKC", "NFKD"].includes(form))
      throw noMatch(call, env, value ? [value] : []);
    return { sql: `${macro}(${sql}, '${form}')`, type: "STRING", at: call.at };
  };

const instr = (s = "", part = "", start = "1", nth = "1") => `bq_instr(${s}, ${part}, ${start}, ${nth})`;

export const TEXT: Library = {
  CONCAT: concat,
  LOWER: scalar(signature(["STRING"], "STRING", (s) => `bq_lower(${s})`)),
  UPPER: scalar(signature(["STRING"], "STRING", (s) => `bq_upper(${s})`)),
  LENGTH: length,
  CHAR_LENGTH: characters,
  CHARACTER_LENGTH: characters,
  BYTE_LENGTH: bytes,
  OCTET_LENGTH: bytes,
  TRIM: scalar(
    signature(["STRING"], "STRING", (s) => `bq_trim(${s})`),
    signature(["STRING", "STRING"], "STRING", (s, set) => `trim(${s}, ${set})`),
  ),
  LTRIM: trim("ltrim"),
  RTRIM: trim("rtrim"),
  SUBSTR: substring,
  SUBSTRING: substring,
  LEFT: scalar(
    signature(
      ["STRING", "INT64"],
      "STRING",
      (s, n) => `substring(${s}, 1, bq_at_least(${n}, 0, 'Second argument in LEFT() cannot be negative'))`,
    ),
  ),
  RIGHT: scalar(
    signature(
      ["STRING", "INT64"],
      "STRING",
      (s, n) => `bq_right(${s}, bq_at_least(${n}, 0, 'Second argument in RIGHT() cannot be negative'))`,
    ),
  ),
  LPAD: pad("lpad"),
  RPAD: pad("rpad"),
  REPEAT: scalar(signature(["STRING", "INT64"], "STRING", (s, n) => `bq_repeat(${s}, ${n})`)),
  REVERSE: scalar(signature(["STRING"], "STRING", (s) => `bq_reverse(${s})`)),
  REPLACE: scalar(signature(["STRING", "STRING", "STRING"], "STRING", (s, from, to) => `bq_replace(${s}, ${from}, ${to})`)),
  TRANSLATE: scalar(signature(["STRING", "STRING", "STRING"], "STRING", (s, from, to) => `bq_translate(${s}, ${from}, ${to})`)),
  INITCAP: scalar(
    signature(["STRING"], "STRING", (s) => `bq_initcap(${s})`),
    signature(["STRING", "STRING"], "STRING", (s, delimiters) => `bq_initcap_of(${s}, ${delimiters})`),
  ),
  STRPOS: scalar(signature(["STRING", "STRING"], "INT64", (s, part) => `strpos(${s}, ${part})`)),
  INSTR: scalar(
    signature(["STRING", "STRING"], "INT64", instr),
    signature(["STRING", "STRING", "INT64"], "INT64", instr),
    signature(["STRING", "STRING", "INT64", "INT64"], "INT64", instr),
  ),
  STARTS_WITH: scalar(signature(["STRING", "STRING"], "BOOL", (s, prefix) => `starts_with(${s}, ${prefix})`)),
  ENDS_WITH: scalar(signature(["STRING", "STRING"], "BOOL", (s, suffix) => `suffix(${s}, ${suffix})`)),
  CONTAINS_SUBSTR: scalar(
    signature(["STRING", "STRING"], "BOOL", (s, part) => `contains(bq_casefold(${s}, 'NFKC'), bq_casefold(${part}, 'NFKC'))`),
  ),
  SPLIT: scalar(
    signature(["STRING"], arrayOf("STRING"), (s) => `string_split(${s}, ',')`),
    signature(["STRING", "STRING"], arrayOf("STRING"), (s, delimiter) => `bq_split(${s}, ${delimiter})`),
  ),
  ASCII: scalar(signature(["STRING"], "INT64", (s) => `bq_ascii(${s})`)),
  UNICODE: scalar(signature(["STRING"], "INT64", (s) => `bq_unicode(${s})`)),
  CHR: scalar(signature(["INT64"], "STRING", (n) => `bq_chr(${n})`)),
  EDIT_DISTANCE: scalar(signature(["STRING", "STRING"], "INT64", (a, b) => `bq_edit_distance(${a}, ${b})`)),
  NORMALIZE: normalizeBy("bq_normalize"),
  NORMALIZE_AND_CASEFOLD: normalizeBy("bq_casefold"),
  MD5: hash("md5"),
  SHA1: hash("sha1"),
  SHA256: hash("sha256"),
  FARM_FINGERPRINT: scalar(
    signature(["STRING"], "INT64", (s) => `bq_fingerprint(${s})`),
    signature(["BYTES"], "INT64", (s) => `bq_fingerprint_of_hex(hex(${s}))`),
  ),
  TO_HEX: scalar(signature(["BYTES"], "STRING", (s) => `lower(hex(${s}))`)),
  FROM_HEX: scalar(signature(["STRING"], "BYTES", (s) => `bq_from_hex(${s})`)),
  TO_BASE64: scalar(signature(["BYTES"], "STRING", (s) => `base64(${s})`)),
  FROM_BASE64: scalar(signature(["STRING"], "BYTES", (s) => `from_base64(${s})`)),
  GENERATE_UUID: scalar(signature([], "STRING", () => "CAST(uuid() AS VARCHAR)")),
};
