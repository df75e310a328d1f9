import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { readMigrations } from "../infra/migrations/read-migrations.ts";
import { DefinedTables, growthFaults, Released, released } from "../infra/migrations/released.ts";
import packageFile from "../package.json" with { type: "json" };
import { messageOf } from "../shared/runtime/error-message.ts";
import { Api, apiFaults } from "./release/api-faults.ts";
import { compressed, decompressed, documentsFile, releasedFile } from "./release/recorded.ts";
import { exitOnHelp, RELEASE_USAGE } from "./usage.ts";

const RELEASED = new URL("../infra/released/warehouse.json", import.meta.url);
const APIS = ["openapi.users.json", "openapi.data.json"];
const DEFINED = new URL("../infra/generated/tables.json", import.meta.url);

/**
 * `npm run release` records this release: its tables, its APIs and its functions. With `--check` it tells what of them a later change may not do.
 */
exitOnHelp(RELEASE_USAGE, process.argv.slice(2), ["--check"]);
try {
  const { tables } = read(DEFINED, DefinedTables);
  const migrations = readMigrations();
  if (process.argv.includes("--check")) {
    const faults = [...growthFaults(read(RELEASED, Released), tables, migrations), ...apisFaults()];
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) throw new Error("What is released only grows: infra/warehouse/migrations/README.md says how");
  } else {
    const { bundleFunctions } = await import("./release/bundle-functions.ts");
    const { code, licences } = await bundleFunctions(fileURLToPath(new URL("..", import.meta.url)));
    const kib = [
      write(releasedFile("functions.mjs"), code),
      write(releasedFile("functions.LICENSES.txt"), licences),
      ...APIS.map((name) => write(releasedFile(name), readFileSync(generated(name), "utf8"))),
    ];
    const { recordDocuments } = await import("./release/record-documents.ts");
    writeFileSync(documentsFile(packageFile.version), `${JSON.stringify(await recordDocuments(), undefined, 1)}\n`);
    writeFileSync(RELEASED, `${JSON.stringify(released(tables, migrations), undefined, 2)}\n`);
    const size = Math.ceil(kib.reduce((sum, bytes) => sum + bytes, 0) / 1024);
    console.log(
      `Wrote the ${Object.keys(tables).length} tables, ${migrations.length} migrations, APIs and functions of this release to infra/released (${size} KiB)`,
    );
  }
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** Returns what clients of the last release would miss. */
function apisFaults(): string[] {
  return APIS.flatMap((name) => {
    const before = v.parse(Api, JSON.parse(decompressed(readFileSync(releasedFile(name)))));
    return apiFaults(before, read(generated(name), Api));
  });
}

function generated(name: string): URL {
  return new URL(`../infra/generated/${name}`, import.meta.url);
}

/** Writes a text compressed. Returns its bytes. */
function write(file: URL, text: string): number {
  const bytes = compressed(text);
  writeFileSync(file, bytes);
  return bytes.length;
}

function read<const Schema extends v.GenericSchema>(file: URL, schema: Schema): v.InferOutput<Schema> {
  return v.parse(schema, JSON.parse(readFileSync(file, "utf8")));
}
