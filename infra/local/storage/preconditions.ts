import { conditionNotMet } from "./storage-fault.ts";

/** Conditions on the live object. Generation 0 means that no object exists. */
export interface Preconditions {
  readonly ifGenerationMatch?: number;
  readonly ifGenerationNotMatch?: number;
  readonly ifMetagenerationMatch?: number;
  readonly ifMetagenerationNotMatch?: number;
}

interface Versions {
  readonly generation: number;
  readonly metageneration: number;
}

/** Throws a 412 unless the conditions hold for the live object (`undefined` if there is none). */
export function checkPreconditions(live: Versions | undefined, conditions: Preconditions): void {
  if (!matches(live, conditions) || !differs(live, conditions)) throw conditionNotMet();
}

/** Whether the `…Match` conditions hold. */
export function matches(live: Versions | undefined, conditions: Preconditions): boolean {
  const { ifGenerationMatch, ifMetagenerationMatch } = conditions;
  if (ifGenerationMatch !== undefined && ifGenerationMatch !== (live?.generation ?? 0)) return false;
  return ifMetagenerationMatch === undefined || ifMetagenerationMatch === live?.metageneration;
}

/** Whether the `…NotMatch` conditions hold. On a read their failure is a 304, not a 412. */
export function differs(live: Versions | undefined, conditions: Preconditions): boolean {
  const { ifGenerationNotMatch, ifMetagenerationNotMatch } = conditions;
  if (ifGenerationNotMatch !== undefined && ifGenerationNotMatch === (live?.generation ?? 0)) return false;
  return ifMetagenerationNotMatch === undefined || ifMetagenerationNotMatch !== live?.metageneration;
}
