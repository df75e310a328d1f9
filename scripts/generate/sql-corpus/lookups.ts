import { findGeographiesStatement } from "../../../shared/geographies/find.ts";
import { countGeographiesStatement, unknownGeographiesStatement } from "../../../shared/geographies/lookup.ts";
import { networkCellsStatement } from "../../../shared/maps/foreign-coverage.ts";
import { availabilityStatement } from "../../../shared/products/availability.ts";
import { geographiesInBoxStatement, outlinesStatement } from "../../../shared/products/geographies-in-box.ts";
import { ledgerBytesStatement } from "../../../shared/products/product-query.ts";
import { nearestLinkStatement } from "../../../shared/products/road-link-candidates.ts";
import { queryFile, type SqlFile } from "./sql-file.ts";

/** Returns the queries that endpoints run synchronously. */
export function lookupFiles(): SqlFile[] {
  const tables = ["activities_daily", "activities_hourly"];
  const plain = { country: "EST", geoType: "admin_level_2" } as const;
  const filtered = { ...plain, bbox: [24.5, 59.25, 25, 59.5], name: "Tallinn", ids: [784, 141] } as const;
  return [
    queryFile("find-geographies.first-page", findGeographiesStatement(plain, undefined, 101)),
    queryFile("find-geographies.filtered-later-page", findGeographiesStatement({ ...filtered, bbox: [...filtered.bbox] }, 141, 101)),
    queryFile(
      "find-geographies.road-links",
      findGeographiesStatement({ country: "EST", geoType: "osm_links", bbox: [24.7, 59.42, 24.8, 59.45], areRoads: true }, undefined, 101),
    ),
    queryFile("geographies-in-box", geographiesInBoxStatement("EST", "grid_1000m", [24.5, 59.25, 25, 59.5])),
    queryFile("outlines", outlinesStatement("EST", "admin_level_4", [784, 141])),
    queryFile("count-geographies", countGeographiesStatement("EST", "grid_1000m")),
    queryFile("unknown-geographies", unknownGeographiesStatement("EST", "grid_1000m", [51440004116000])),
    queryFile("network-cells", networkCellsStatement("LAT", [52250003917500])),
    queryFile("nearest-link", nearestLinkStatement("EST", [24.745, 59.437])),
    queryFile("ledger-bytes", ledgerBytesStatement("EST", "activities_daily")),
    queryFile("availability.all-days", availabilityStatement({ country: "EST", tables })),
    queryFile("availability.some-days", availabilityStatement({ country: "EST", tables, first: "2026-02-01", last: "2026-03-01" })),
  ];
}
