import type { Position } from "../../../shared/geometry/crs.ts";
import type { Site } from "./sites.ts";

/**
 * Returns the cell of each site in a power diagram (weighted Voronoi): a convex polygon, counter-clockwise, in metres, within a box far
 * beyond all sites; empty if other sites' weights cover it. Source: Aurenhammer, Power diagrams, 1987.
 */
export function powerCells(sites: readonly Site[], margin: number): Position[][] {
  const [eastings, northings] = [sites.map(({ easting }) => easting), sites.map(({ northing }) => northing)];
  const [west, east] = [Math.min(...eastings) - margin, Math.max(...eastings) + margin];
  const [south, north] = [Math.min(...northings) - margin, Math.max(...northings) + margin];
  const box = [
    { easting: west, northing: south },
    { easting: east, northing: south },
    { easting: east, northing: north },
    { easting: west, northing: north },
  ];
  return sites.map((site) => {
    let cell: Position[] = box;
    for (const other of sites) if (other !== site) cell = nearer(cell, site, other);
    return cell;
  });
}

/** Returns the part of a convex polygon whose power distance to `site` is the smaller one. */
function nearer(cell: readonly Position[], site: Site, other: Site): Position[] {
  const [a, b] = [2 * (other.easting - site.easting), 2 * (other.northing - site.northing)];
  const c = other.easting ** 2 + other.northing ** 2 - other.weight - (site.easting ** 2 + site.northing ** 2 - site.weight);
  const beyond = ({ easting, northing }: Position): number => a * easting + b * northing - c;
  const kept: Position[] = [];
  let before = cell.at(-1);
  for (const corner of cell) {
    if (before) {
      const [from, to] = [beyond(before), beyond(corner)];
      if (from > 0 !== to > 0) {
        const share = from / (from - to);
        kept.push({
          easting: before.easting + share * (corner.easting - before.easting),
          northing: before.northing + share * (corner.northing - before.northing),
        });
      }
      if (to <= 0) kept.push(corner);
    }
    before = corner;
  }
  return kept;
}
