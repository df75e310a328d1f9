/** A withheld row: its number of devices, and the bounds that an attacker knows. */
export interface Hidden {
  readonly devices: number;
  /** The threshold of its country. */
  readonly k: number;
  least: number;
  most: number;
}

/** An attacker's knowledge of a sum of rows: the least and the most devices. */
export interface KnownSum {
  readonly parts: readonly Hidden[];
  readonly least: number;
  readonly most: number;
}

/** Returns a withheld row with the bounds that its absence and the count of withheld rows reveal: 1 to k - 1 devices. */
export function hiddenRow(devices: number, k: number): Hidden {
  return { devices, k, least: 1, most: k - 1 };
}

/** Narrows bounds from sums to parts and back until nothing changes. Throws when sums contradict each other. */
export function narrow(sums: readonly KnownSum[]): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (const { parts, least, most } of sums) {
      for (const part of parts) {
        const others = parts.filter((other) => other !== part);
        const leastOfPart = Math.max(part.least, least - total(others, "most"));
        const mostOfPart = Math.min(part.most, most - total(others, "least"));
        if (leastOfPart > mostOfPart) throw new Error("The sums contradict each other");
        changed ||= leastOfPart > part.least || mostOfPart < part.most;
        Object.assign(part, { least: leastOfPart, most: mostOfPart });
      }
    }
  }
}

/** Counts rows known exactly, rows narrowed below 1 to k - 1, and rows known wrongly, which would be a defect of the attack. */
export function knowledgeOf(rows: readonly Hidden[]) {
  return {
    withheld: rows.length,
    exact: rows.filter(({ least, most }) => least === most).length,
    narrowed: rows.filter(({ k, least, most }) => least < most && (least > 1 || most < k - 1)).length,
    wrong: rows.filter(({ devices, least, most }) => devices < least || devices > most).length,
  };
}

function total(parts: readonly Hidden[], end: "least" | "most"): number {
  return parts.reduce((sum, part) => sum + part[end], 0);
}
