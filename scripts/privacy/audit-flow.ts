import type { Target } from "../import/target.ts";
import { attackClasses, hourOf } from "./attacks/road-classes.ts";
import type { Country } from "./dataset.ts";
import { readClassFlows, readFlows, readRawClassFlows, readRawFlows } from "./read-dataset.ts";
import type { Day } from "./statements.ts";
import type { Pairing } from "./utility.ts";
import type { Attacked } from "./verdicts.ts";

/** What an audit of a day's Flow found. */
interface FlowAudit {
  /** The attack on road classes: of a strict country. Links are attacked at junctions, which are drawn. */
  readonly sets: readonly Attacked[];
  readonly pairings: readonly Pairing[];
}

/** Reads a day's published Flow, and what was delivered if `hasTruth`, and attacks it. */
export async function auditFlow(target: Target, { activities: rules }: Country, at: Day, hasTruth: boolean): Promise<FlowAudit> {
  if (!rules.isStrict) {
    const flows = await readFlows(target, at);
    const delivered = hasTruth ? [...(await readRawFlows(target, at))] : [];
    const pairings = delivered.map(([id, { people }]) => pairing("link, hour", people, flows.get(id)));
    return { sets: [], pairings };
  }
  const flows = await readClassFlows(target, at);
  const raw = hasTruth ? await readRawClassFlows(target, at) : undefined;
  const published = new Map(flows.map((row) => [hourOf(row), row.people]));
  const delivered = [...Map.groupBy(raw ?? [], hourOf)];
  const pairings = delivered.map(([hour, rows]) =>
    pairing(
      "road class, hour",
      rows.reduce((sum, { people }) => sum + people, 0),
      published.get(hour),
    ),
  );
  return { sets: attackClasses(flows, raw, rules), pairings };
}

function pairing(level: string, delivered: number, published: number | undefined): Pairing {
  return { product: "flow", level, delivered, published };
}
