import * as v from "valibot";

type Values = Readonly<Record<string, unknown>>;

/** Returns what of a setting keeps less than before, or undefined. Values are Terraform's: undefined where the plan does not know them yet. */
type Rule = (before: unknown, after: unknown) => string | undefined;

/** The settings by type of resource, as paths through blocks, with the rule of each. */
const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  google_bigquery_dataset: {
    default_partition_expiration_ms: expiresNoEarlier,
    default_table_expiration_ms: expiresNoEarlier,
    delete_contents_on_destroy: staysOff,
    max_time_travel_hours: keepsAsLong,
  },
  google_bigquery_table: {
    deletion_protection: staysOn,
    expiration_time: expiresNoEarlier,
    schema: keepsColumns,
    "time_partitioning.expiration_ms": expiresNoEarlier,
  },
  google_firestore_backup_schedule: { retention: keepsAsLong },
  google_firestore_database: {
    delete_protection_state: staysAt("DELETE_PROTECTION_ENABLED"),
    deletion_policy: staysAt("ABANDON"),
    point_in_time_recovery_enablement: staysAt("POINT_IN_TIME_RECOVERY_ENABLED"),
  },
  google_logging_project_bucket_config: { retention_days: keepsAsLong },
  google_pubsub_subscription: {
    "dead_letter_policy.dead_letter_topic": staysSet,
    message_retention_duration: keepsAsLong,
  },
  google_storage_bucket: {
    force_destroy: staysOff,
    lifecycle_rule: deletesNoMore,
    "retention_policy.retention_period": keepsAsLong,
    "soft_delete_policy.retention_duration_seconds": keepsAsLong,
    "versioning.enabled": staysOn,
  },
};

/** Returns a line for each setting of a resource that would keep less, or protect less, than before. */
export function narrowings(type: string, before: Values, after: Values): string[] {
  return Object.entries(RULES[type] ?? {}).flatMap(([path, rule]) => {
    // A setting that is not known before the apply is computed by Google, so no file narrows it.
    if (after[path.split(".")[0] ?? ""] === undefined) return [];
    const narrowing = rule(valueAt(before, path), valueAt(after, path));
    return narrowing === undefined ? [] : [`${path} ${narrowing}`];
  });
}

/** Terraform writes a block that can be there once as a list of one. */
function valueAt(values: Values, path: string): unknown {
  const [first = "", second] = path.split(".");
  const value = values[first];
  if (second === undefined) return value;
  const block = v.safeParse(v.looseTuple([v.record(v.string(), v.unknown())]), value);
  return block.success ? block.output[0][second] : undefined;
}

function from(before: unknown, after: unknown): string {
  return `from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
}

function staysOn(before: unknown, after: unknown): string | undefined {
  return before === true && after !== true ? "is turned off" : undefined;
}

function staysOff(before: unknown, after: unknown): string | undefined {
  return before !== true && after === true ? "is turned on" : undefined;
}

function staysAt(protecting: string): Rule {
  return (before, after) => (before === protecting && after !== protecting ? `goes ${from(before, after)}` : undefined);
}

function staysSet(before: unknown, after: unknown): string | undefined {
  return isSet(before) && !isSet(after) ? `is removed (${JSON.stringify(before)})` : undefined;
}

/** Null and 0 keep nothing. Durations may have the unit s. */
function keepsAsLong(before: unknown, after: unknown): string | undefined {
  return amount(after) < amount(before) ? `is shortened ${from(before, after)}` : undefined;
}

/** Null and 0 never expire. */
function expiresNoEarlier(before: unknown, after: unknown): string | undefined {
  const [was, is] = [before, after].map((value) => amount(value) || Number.POSITIVE_INFINITY);
  return (is ?? 0) < (was ?? 0) ? `is shortened ${from(before ?? "never", after)}` : undefined;
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "";
}

function amount(value: unknown): number {
  return typeof value === "number" ? value : typeof value === "string" ? Number.parseFloat(value) || 0 : 0;
}

const Columns = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ name: v.string(), type: v.string(), mode: v.optional(v.string(), "NULLABLE") })),
);

function keepsColumns(before: unknown, after: unknown): string | undefined {
  const [was, is] = [v.safeParse(Columns, before), v.safeParse(Columns, after)];
  if (!was.success || !is.success) return before === after ? undefined : "changes in a way that cannot be read";
  const now = new Map(is.output.map((column) => [column.name, column]));
  const known = new Set(was.output.map(({ name }) => name));
  const faults = [
    ...was.output.flatMap(({ name, type, mode }) => {
      const same = now.get(name);
      if (same === undefined) return [`loses the column ${name}`];
      return same.type === type && same.mode === mode
        ? []
        : [`changes the column ${name} from ${type} ${mode} to ${same.type} ${same.mode}`];
    }),
    ...is.output.filter(({ name, mode }) => !known.has(name) && mode === "REQUIRED").map(({ name }) => `gains the REQUIRED column ${name}`),
  ];
  return faults.length === 0 ? undefined : faults.join(", ");
}

const Rules = v.array(
  v.looseObject({
    action: v.array(v.looseObject({ type: v.string() })),
    condition: v.array(v.looseObject({ age: v.nullish(v.number()) })),
  }),
);

/** A rule that deletes is as before, or deletes later. */
function deletesNoMore(before: unknown, after: unknown): string | undefined {
  const deleting = (rules: unknown) =>
    v.parse(v.nullish(Rules, []), rules).flatMap(({ action, condition: [condition] }) => {
      const { age = null, ...others } = condition ?? {};
      return action.some(({ type }) => type === "Delete") ? [{ age: age ?? 0, others: JSON.stringify(others) }] : [];
    });
  const former = deleting(before);
  const more = deleting(after).filter(({ age, others }) => !former.some((rule) => rule.others === others && rule.age <= age));
  return more.length === 0 ? undefined : `deletes more: after ${more.map(({ age }) => `${age} days`).join(", ")}`;
}
