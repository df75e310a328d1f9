import imported from "highs";
import type { AreaRules, Interval } from "./area-rules.ts";
import type { Bound, Bounds } from "./bounds.ts";

/** The package's types are those of a CommonJS module, whose loader is a member; Node.js imports the loader itself. */
const loadHighs = "default" in imported ? imported.default : imported;

/** Finds the fewest and the most devices that a set can have, given all constraints of a component together. */
export interface Solver {
  /**
   * @param of the place whose parts, and theirs, make up the component
   * @param rows the set: the devices of these rows, less those of `less`
   * Undefined if the component is too large, or the solver found no optimum in time.
   */
  readonly range: (bounds: Bounds, rules: AreaRules, of: string, rows: readonly string[], less: string | undefined) => Interval | undefined;
}

/** More rows than this take too long. */
const ROWS_MAX = 600;
const SECONDS_MAX = 2;

/** Loads HiGHS, a solver of mixed integer programs. */
export async function openSolver(): Promise<Solver> {
  const highs = await loadHighs();
  const optimum = (
    sense: "Minimize" | "Maximize",
    objective: string,
    constraints: readonly string[],
    names: readonly string[],
  ): number | undefined => {
    const text = `${sense}\n ${objective}\nSubject To\n ${constraints.join("\n ")}\nGenerals\n ${names.join(" ")}\nEnd\n`;
    const { Status, ObjectiveValue } = highs.solve(text, { output_flag: false, time_limit: SECONDS_MAX });
    return Status === "Optimal" ? Math.round(ObjectiveValue) : undefined;
  };
  return {
    range: (bounds, rules, of, rows, less) => {
      const ids = within(bounds, of);
      if (ids.length > ROWS_MAX) return undefined;
      const index = new Map(ids.map((id, position) => [id, position]));
      const constraints = ids.flatMap((id) => constraintsOf(id, bounds, index, rules));
      const terms = [...rows.map((id) => `+ n${index.get(id)}`), ...(less === undefined ? [] : [`- n${index.get(less)}`])].join(" ");
      const names = ids.flatMap((_, position) => [`n${position}`, `t${position}`]);
      const min = optimum("Minimize", terms, constraints, names);
      const max = min === undefined ? undefined : optimum("Maximize", terms, constraints, names);
      return min === undefined || max === undefined ? undefined : { min, max };
    },
  };
}

function within(bounds: Bounds, of: string): string[] {
  const found = [of];
  for (const id of found) found.push(...(bounds.get(id)?.parts ?? []));
  return found;
}

/**
 * Returns linear constraints that every world fulfils which publishes the same: n is what a row has, t what it is told for. They are
 * necessary, not sufficient, so that a set may be empty in a world that they allow and the rule does not.
 */
function constraintsOf(id: string, bounds: Bounds, index: ReadonlyMap<string, number>, { broken }: AreaRules): string[] {
  const bound = bounds.get(id);
  const at = index.get(id);
  if (!bound || at === undefined) return [];
  const [n, t] = [`n${at}`, `t${at}`];
  const parts = bound.parts.flatMap((part) => {
    const [own, position] = [bounds.get(part), index.get(part)];
    return own && position !== undefined ? [{ own, n: `n${position}`, t: `t${position}` }] : [];
  });
  const own = [`${t} >= ${bound.told.min}`, `${n} - ${t} >= 0`];
  if (Number.isFinite(bound.told.max)) own.push(`${t} <= ${bound.told.max}`);
  if (Number.isFinite(bound.hidden)) own.push(`${n} - ${t} <= ${bound.hidden}`);
  if (parts.length === 0) return own;
  const told = parts.filter((part) => part.own.number > 0);
  return [
    ...own,
    `${n} ${parts.map((part) => `- ${part.n}`).join(" ")} <= 0`,
    ...parts.map((part) => `${n} - ${part.n} >= 0`),
    ...(bound.number > 0 && !broken?.has("noFloor") ? told.map((part) => `${t} - ${part.t} >= ${bound.above}`) : []),
    ...notCut(bound, n, t, parts),
  ];
}

/** A row that is not snapped lacks no more than its parts together do (rules 6 and 7). */
function notCut(bound: Bound, n: string, t: string, parts: readonly { readonly n: string; readonly t: string }[]): string[] {
  if (bound.above === 0 || !Number.isFinite(bound.hidden)) return [];
  return [`${n} - ${t} ${parts.map((part) => `- ${part.n} + ${part.t}`).join(" ")} <= 0`];
}
