import * as v from "valibot";
import rules from "../../../infra/countries.json" with { type: "json" };
import { NoRow, type Statement, statement } from "../../../shared/google/statement.ts";
import { arrivedStatement } from "../../../shared/loading/arrival-statements.ts";
import { LANDED_TABLES, type LandedTable } from "../../../shared/loading/batch.ts";
import { arrangeStatement, faultsStatement } from "../../../shared/loading/check-statements.ts";
import { deleteDaysStatement, deletedDaysStatement, loadedDaysStatement } from "../../../shared/loading/delete-days.ts";
import { parseCountryTable } from "../../../shared/products/countries.ts";
import { datasetOf, isFact, isFeed, LOADED_TABLES, type LoadedTable, publishedTables } from "../../../shared/products/loaded-tables.ts";
import { changedTypesStatement } from "../../../shared/publishing/changed-types.ts";
import { keptRowsStatement } from "../../../shared/publishing/kept-numbers.ts";
import { loadedBatchesStatement, publishedBatchesStatement } from "../../../shared/publishing/ledger.ts";
import { loadStatement, loadSteps } from "../../../shared/publishing/load.ts";
import { loadTickStatement, tickLedgerStatement } from "../../../shared/publishing/load-tick.ts";
import { NESTED_LEVELS } from "../../../shared/publishing/nesting.ts";
import { publishDaysStatement } from "../../../shared/publishing/publish.ts";
import {
  absentDaysStatement,
  daysWithoutFinestStatement,
  lostHoursStatement,
  unknownIdsStatement,
  unknownParentsStatement,
  unplacedIdsStatement,
} from "../../../shared/publishing/staged-ids.ts";
import { isFactLoad, type Load, type LoadedCountry } from "../../../shared/publishing/staged-load.ts";
import { ddlFile, queryFile, type SqlFile, scriptFile } from "./sql-file.ts";
import { type DefinedColumn, definedColumns } from "./table-columns.ts";

const CHECKSUM = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const NO_DISTANCE: LoadedCountry = {
  code: "EST",
  k: 5,
  step: 20,
  peopleOfDevice: 4,
  finestType: "grid_1000m",
  isProtected: false,
  distance: "none",
};
const CENTROIDS: LoadedCountry = {
  code: "USA",
  k: 10,
  step: 1,
  peopleOfDevice: 1,
  finestType: "admin_level_4",
  isProtected: true,
  distance: "centroids",
};
const STRICT: LoadedCountry = {
  code: "LTU",
  k: 5,
  step: 120,
  peopleOfDevice: 12,
  finestType: "grid_250m",
  isProtected: false,
  isStrict: true,
  distance: "none",
};
const ColumnType = v.picklist(["STRING", "INT64", "FLOAT64", "BOOL", "DATE", "TIMESTAMP", "GEOGRAPHY"]);
/** What a file of a landing folder may leave out, and an optional column. */
const TOLD_BY_FOLDER: readonly string[] = ["country_code", "batch_date", "average_speed_kmh"];
const DAYS = { first: "2026-02-27", last: "2026-03-01" };
const TICK = "2026-03-01T12:05:00Z";

/** Returns the loads of every table of the import with their queries, and the definitions of their staging tables. */
export function loadFiles(): SqlFile[] {
  const ofTables = LOADED_TABLES.flatMap((table) => [
    ddlFile(stagingDefinition(table)),
    ...(isFeed(table) ? tickFiles(table) : batchFiles(table)),
    ...publishedTables(table).flatMap((target) => publishedDefinitions(table, target).map(ddlFile)),
  ]);
  return [...ofTables, ...LANDED_TABLES.flatMap(landingFiles), queryFile("arrived-days", arrivedStatement(DAYS.first, DAYS.last))];
}

function batchFiles(table: LoadedTable): SqlFile[] {
  const { name } = table;
  const { hours, byClass, values = [] } = table.publication ?? {};
  const load = loadOf(table);
  return [
    ...tablesFiles(load),
    scriptFile(`load-${name}.one-country`, transactionOf(loadStatement(load))),
    scriptFile(`load-${name}.two-countries`, transactionOf(loadStatement({ ...load, countries: [NO_DISTANCE, CENTROIDS] }))),
    ...(values.some(({ rule }) => rule === "distance")
      ? [scriptFile(`load-${name}.centroids`, transactionOf(loadStatement({ ...load, countries: [CENTROIDS] })))]
      : []),
    ...(byClass && table.publication
      ? [
          scriptFile(
            `load-${name}.without-classes`,
            transactionOf(loadStatement({ ...load, publication: { ...table.publication, byClass: undefined } })),
          ),
        ]
      : []),
    ...(hours?.hourly === name || byClass
      ? [scriptFile(`load-${name}.strict-country`, transactionOf(loadStatement({ ...load, countries: [NO_DISTANCE, STRICT] })))]
      : []),
    ...(hours?.daily === name && isFactLoad(load)
      ? [
          scriptFile(`publish-days-${name}`, transactionOf(publishDaysStatement(load, hours))),
          queryFile(`absent-days-${hours.hourly}`, absentDaysStatement(load, hours.hourly)),
        ]
      : []),
    ...(isFactLoad(load) ? [queryFile(`kept-rows-${name}`, keptRowsStatement(load)), ...deletionFiles(table)] : []),
    ...(isFactLoad(load) && load.publication.nesting === "areas" ? [queryFile(`changed-types-${name}`, changedTypesStatement(load))] : []),
    ...(isFactLoad(load) && table.bucket === "hour" ? [queryFile(`lost-hours-${name}`, lostHoursStatement(load))] : []),
    ...(isFactLoad(load) && table.publication?.nesting !== undefined
      ? [queryFile(`days-without-finest-${name}`, daysWithoutFinestStatement(load, table.references))]
      : []),
    queryFile(`loads-${name}`, loadedBatchesStatement(load)),
    queryFile(`published-${name}`, publishedBatchesStatement(load)),
    ...table.references.map((reference) =>
      queryFile(`unknown-ids-${name}.${reference.id}`, unknownIdsStatement(stagingOf(table), reference)),
    ),
    ...(name === "geographies" ? [queryFile(`unknown-parents-${name}`, unknownParentsStatement(stagingOf(table)))] : []),
    ...table.references.flatMap((reference) => {
      const { id, geoType } = reference;
      const types = NESTED_LEVELS.slice(0, -1);
      return geoType ? [queryFile(`unplaced-ids-${name}.${id}`, unplacedIdsStatement(stagingOf(table), reference, types))] : [];
    }),
  ];
}

function deletionFiles(table: LoadedTable): SqlFile[] {
  const days = { tables: publishedTables(table), country: "EST", ...DAYS };
  return [
    queryFile(`loaded-days-${table.name}`, loadedDaysStatement(days)),
    scriptFile(`delete-days-${table.name}`, deleteDaysStatement(days, "5f0c8d2e")),
    queryFile(`deleted-days-${table.name}`, deletedDaysStatement(days, "5f0c8d2e")),
  ];
}

/**
 * Returns the transaction of a load's script. The definitions around it are files of their own, under other names: who checks the transaction
 * needs the tables with their columns first.
 */
function transactionOf({ sql, ...rest }: Statement<never>): Statement<never> {
  return { ...rest, sql: sql.slice(sql.indexOf("BEGIN TRANSACTION"), sql.indexOf("COMMIT TRANSACTION") + "COMMIT TRANSACTION".length) };
}

function tablesFiles(load: Load): SqlFile[] {
  const { before, after } = loadSteps({ ...load, staging: `${load.staging}_made` });
  if (before.length === 0) return [];
  return [scriptFile(`load-${load.table}.staging-tables`, statement(NoRow, [...before, ...after].join(";\n\n"), {}))];
}

/** The definitions of the tables that a load makes before its transaction, with their columns. */
function publishedDefinitions(table: LoadedTable, target: string): string[] {
  const rows = `${stagingOf(table)}_${target}`;
  const columns = definedColumns("mobility", target).map(({ name, type }) => `  ${name} ${type}`);
  const told = table.publication?.nesting === "areas" ? ["  told INT64"] : [];
  const note = "-- Not sent as it stands: a load makes such a table.\n";
  return [
    `${note}CREATE TABLE ${rows} (\n${[...columns, ...told].join(",\n")}\n);`,
    `${note}CREATE TABLE ${rows}_batches (\n  country_code STRING,\n  batch_date DATE\n);`,
  ];
}

/** The statements of days that arrive by themselves, of an open country and of a protected one. */
function landingFiles(table: LandedTable): SqlFile[] {
  const columns = stagedColumns(table).map(({ name, type }) => ({ name, type: v.parse(ColumnType, type), required: false }));
  const given = columns.flatMap(({ name }) => (TOLD_BY_FOLDER.includes(name) ? [] : [name]));
  const { EST: open } = parseCountryTable("infra/countries.json", rules);
  if (!open) throw new Error("There is no Estonia");
  const countries = { open, protected: { ...open, isProtected: true, peopleOfDevice: undefined } };
  const loaded = stagingOf(table);
  return Object.entries(countries).flatMap(([kind, of]) => {
    const batch = { table, rows: loaded, columns, country: { code: "EST", rules: of }, date: DAYS.first };
    return [queryFile(`landing-faults-${table.name}.${kind}`, faultsStatement(batch))].concat(
      kind === "open"
        ? [
            queryFile(
              `landing-rows-${table.name}`,
              arrangeStatement({ ...batch, rows: `${loaded}_rows` }, loaded, { given, format: "CSV" }),
            ),
            queryFile(
              `landing-rows-of-parquet-${table.name}`,
              arrangeStatement({ ...batch, rows: `${loaded}_rows` }, loaded, {
                given: batch.columns.map(({ name }) => name),
                format: "PARQUET",
              }),
            ),
          ]
        : [],
    );
  });
}

function tickFiles(table: LoadedTable): SqlFile[] {
  const columns = stagedColumns(table).map(({ name }) => name);
  const tick = { staging: stagingOf(table), columns, country: NO_DISTANCE, tick: TICK, checksum: CHECKSUM };
  return [
    scriptFile(`load-${table.name}`, loadTickStatement(tick)),
    queryFile(`ledger-${table.name}`, tickLedgerStatement({ countries: ["EST", "NOR"], first: TICK, last: "2026-03-01T12:10:00Z" })),
  ];
}

function loadOf(table: LoadedTable): Load {
  return {
    table: table.name,
    staging: stagingOf(table),
    columns: stagedColumns(table).map(({ name, type }) => ({ name, isGeography: type === "GEOGRAPHY" })),
    key: table.key,
    replaces: table.replaces,
    countries: [table.publication?.nesting === undefined ? { ...NO_DISTANCE, finestType: undefined } : NO_DISTANCE],
    days: isFact(table) ? DAYS : undefined,
    publication: table.publication,
    checksum: CHECKSUM,
  };
}

/** A name like those that imports give, which end in random digits. */
function stagingOf({ name }: LoadedTable): string {
  return `staging.import_${name}`;
}

function stagedColumns(table: LoadedTable): DefinedColumn[] {
  return definedColumns(datasetOf(table), table.name).filter(({ name }) => !table.computed.includes(name));
}

/** Never sent: a load job makes the table with these columns. Who checks the loads needs it. */
function stagingDefinition(table: LoadedTable): string {
  const columns = stagedColumns(table).map(({ name, type }) => `  ${name} ${type === "GEOGRAPHY" ? "STRING" : type}`);
  return `-- Not sent as it stands: a load job makes such a table from a file.\nCREATE TABLE ${stagingOf(table)} (\n${columns.join(",\n")}\n);`;
}
