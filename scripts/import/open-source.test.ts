import { dirname } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { madeCsv, madeFile } from "./testing/made-files.ts";
import { refusalOf } from "./testing/prepared.ts";

const HEADER = "country_code,link_id,name,class,geometry";
const ROW = 'EST,1,Narva mnt,primary,"LINESTRING (24.75 59.43, 24.76 59.44)"';

describe("an unreadable file is rejected with the reason", () => {
  test.each([
    ["an empty one", "f.csv", "", "FILE is empty"],
    ["a header alone", "f.csv", `${HEADER}\n`, "FILE has a header and no rows"],
    ["another delimiter", "f.csv", "a;b\n1;2\n", 'FILE: columns must be separated by commas, and its header has none: "a;b"'],
    ["a name twice", "f.csv", "a,b,a\n1,2,3\n", 'FILE: the header names the column "a" twice'],
    ["an empty first line", "f.csv", `\n${HEADER}\n`, "FILE, line 1: the line is empty"],
    ["binary garbage", "f.csv", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]), "FILE, line 1: a zero byte"],
    [
      "Latin-1",
      "f.csv",
      Buffer.from(`${HEADER}\n${ROW.replace("Narva", "Nõmme")}\n`, "latin1"),
      "line 2: not UTF-8 text; save the file in UTF-8",
    ],
    ["UTF-16", "f.csv", Buffer.from(`\ufeff${HEADER}`, "utf16le"), "FILE is UTF-16 text"],
    ["a spreadsheet", "f.csv", Buffer.from("PK\u0003\u0004rest"), "FILE is a ZIP archive or a spreadsheet"],
    ["zstd", "f.csv.zst", zstdCompressSync(`${HEADER}\n${ROW}\n`), "FILE is compressed with zstd; compress it with gzip"],
    ["cut gzip", "f.csv.gz", gzipSync(`${HEADER}\n${ROW}\n`).subarray(0, -9), "FILE, the gzip file is corrupt"],
    [
      "garbled gzip",
      "f.csv.gz",
      Buffer.concat([gzipSync("").subarray(0, 10), Buffer.from("no deflate")]),
      "FILE, the gzip file is corrupt",
    ],
    ["text named as Parquet", "f.parquet", `${HEADER}\n${ROW}\n`, "FILE is not a Parquet file"],
    ["broken Parquet", "f.parquet", "PAR1 and nothing else", "FILE is a corrupt Parquet file"],
    ["a record without its values", "f.csv", `${HEADER}\nEST,1\n`, "line 2: 2 values where the header has 5 columns"],
  ])("%s", async (_name, name, content, says) => {
    expect(await refusalOf("road_links", madeFile(name, content))).toContain(says);
  });

  test("a missing file, or a folder", async () => {
    const file = madeCsv(HEADER);
    expect(await refusalOf("road_links", `${file}.none`)).toBe("There is no file FILE");
    expect(await refusalOf("road_links", dirname(file))).toBe(
      "FILE is a folder without Parquet files; a folder is read as the parts of one Parquet file",
    );
  });
});

test.each([
  ["lone carriage returns", "from,n\r1,2\r3,4\r", "made.csv, line 1: a carriage return without a line feed; lines must end in a line feed"],
  ["a line of a spreadsheet", "sep=,\nfrom,n\n1,2\n", 'made.csv, line 1: "sep=," is for spreadsheets alone; remove the line'],
  ["another such line", "sep=;\nfrom;n\n1;2\n", 'made.csv, line 1: "sep=;" is for spreadsheets alone; remove the line'],
])("a CSV file with %s is refused with what is right", async (_, text, says) => {
  expect(await refusalOf("flows_hourly", madeFile("made.csv", text))).toContain(says.replace("made.csv", "FILE"));
});
