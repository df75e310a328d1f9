import { status } from "@grpc/grpc-js";
import { checkFields, type StoredDocument } from "./document.ts";
import { parseFieldPath, valueAt, withValueAt } from "./field-path.ts";
import { type DocumentName, parseDocumentName } from "./names.ts";
import { identicalFields } from "./order.ts";
import { invalid, Refusal } from "./refusal.ts";
import { toMicros } from "./time.ts";
import { applyTransforms } from "./transform.ts";
import type { Fields, Precondition, Value, Write } from "./wire.ts";

/** A write with its parsed document name. */
export interface NamedWrite {
  readonly target: DocumentName;
  readonly write: Write;
}

/** Determines the document of a write. Throws INVALID_ARGUMENT. */
export function nameWrite(database: string, write: Write): NamedWrite {
  const name = write.update?.name ?? write.delete ?? write.transform?.document;
  if (name === undefined) throw invalid("A write must have an operation.");
  return { target: parseDocumentName(database, name), write };
}

/** What the writes of a commit so far imply for a document. */
interface Written {
  readonly exists: boolean;
  /** The update time that its first write requires, microseconds. */
  readonly updateTime: number | undefined;
}

/** Throws INVALID_ARGUMENT if a write of a commit can never succeed after an earlier one, whatever is stored. */
export function checkSequence(writes: readonly NamedWrite[]): void {
  const written = new Map<string, Written>();
  for (const { target, write } of writes) {
    const before = written.get(target.name);
    const isDelete = write.delete !== undefined;
    const { exists, updateTime: time } = write.currentDocument ?? {};
    const updateTime = time && toMicros(time);
    // An update of a certain time needs a document.
    const required = exists ?? (updateTime === undefined || isDelete ? undefined : true);
    if (before !== undefined && required !== undefined && before.exists !== required) {
      throw invalid(`Cannot ${before.exists ? "write then insert" : "delete then update"} an entity in the same request.`);
    }
    if (before !== undefined && updateTime !== undefined && before.updateTime !== updateTime) {
      throw invalid("Cannot collapse mutations with different version preconditions.");
    }
    written.set(target.name, { exists: !isDelete, updateTime: before === undefined ? updateTime : before.updateTime });
  }
}

/** A document before a write: as the earlier writes of the commit left it, and as it is stored. */
export interface Before {
  readonly current: StoredDocument | undefined;
  readonly stored: StoredDocument | undefined;
}

/**
 * Returns the document after a write at a commit time (microseconds); undefined means no document. It is the stored one if nothing of that has
 * changed. Throws NOT_FOUND, ALREADY_EXISTS and FAILED_PRECONDITION for preconditions, INVALID_ARGUMENT for content.
 */
export function applyWrite(
  before: Before,
  { target, write }: NamedWrite,
  time: number,
): { readonly next: StoredDocument | undefined; readonly transformResults: readonly Value[] } {
  const { current, stored } = before;
  checkPrecondition(before, write.currentDocument, target.name);
  if (write.delete !== undefined) return { next: undefined, transformResults: [] };

  const updated = write.update === undefined ? (current?.fields ?? {}) : updatedFields(current, write.update.fields, write);
  const transforms = [...(write.transform?.fieldTransforms ?? []), ...write.updateTransforms];
  const { fields, results } = applyTransforms(updated, transforms, time);
  const size = checkFields(target.name, fields);
  // A commit without changes keeps the document's update time, as in the real service. One that deletes it first makes a new document.
  const same = stored !== undefined && current?.createTime === stored.createTime && identicalFields(stored.fields, fields);
  const next = same ? stored : { ...target, fields, size, createTime: current?.createTime ?? time, updateTime: time };
  return { next, transformResults: results };
}

function updatedFields(current: StoredDocument | undefined, given: Fields, write: Write): Fields {
  if (write.updateMask === null) return given;
  let fields = current?.fields ?? {};
  for (const fieldPath of write.updateMask.fieldPaths) {
    const path = parseFieldPath(fieldPath);
    fields = withValueAt(fields, path, valueAt(given, path));
  }
  return fields;
}

/** A required update time is that of the stored document, also after earlier writes of the commit. */
function checkPrecondition({ current, stored }: Before, condition: Precondition | null, name: string): void {
  if (condition?.exists === true && current === undefined) throw new Refusal(status.NOT_FOUND, `No document to update: ${name}`);
  if (condition?.exists === false && current !== undefined) throw new Refusal(status.ALREADY_EXISTS, `Document already exists: ${name}`);
  if (condition?.updateTime === undefined) return;
  const required = toMicros(condition.updateTime);
  const version = stored?.updateTime ?? 0;
  if (version !== required) {
    throw new Refusal(status.FAILED_PRECONDITION, `the stored version (${version}) does not match the required base version (${required})`);
  }
}
