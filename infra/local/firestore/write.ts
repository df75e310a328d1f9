import { status } from "@grpc/grpc-js";
import { checkFields, type StoredDocument } from "./document.ts";
import { parseFieldPath, valueAt, withValueAt } from "./field-path.ts";
import { type DocumentName, parseDocumentName } from "./names.ts";
import { identicalFields } from "./order.ts";
import { invalid, Refusal } from "./refusal.ts";
import { toMicros, toWire } from "./time.ts";
import { applyTransforms } from "./transform.ts";
import type { Fields, Precondition, Write, WriteResult } from "./wire.ts";

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

/** Throws INVALID_ARGUMENT if a write of a commit can never succeed after an earlier one, whatever is stored. */
export function checkSequence(writes: readonly NamedWrite[]): void {
  const exists = new Map<string, boolean>();
  for (const { target, write } of writes) {
    const before = exists.get(target.name);
    const required = write.currentDocument?.exists;
    if (before !== undefined && required !== undefined && before !== required) {
      throw invalid(`Cannot ${before ? "write then insert" : "delete then update"} an entity in the same request.`);
    }
    exists.set(target.name, write.delete === undefined);
  }
}

/**
 * Returns the document after a write at a commit time (microseconds); undefined means no document. Throws NOT_FOUND, ALREADY_EXISTS and
 * FAILED_PRECONDITION for preconditions, INVALID_ARGUMENT for content.
 */
export function applyWrite(
  current: StoredDocument | undefined,
  { target, write }: NamedWrite,
  time: number,
): { readonly next: StoredDocument | undefined; readonly result: WriteResult } {
  checkPrecondition(current, write.currentDocument, target.name);
  if (write.delete !== undefined) return { next: undefined, result: { updateTime: null, transformResults: [] } };

  const updated = write.update === undefined ? (current?.fields ?? {}) : updatedFields(current, write.update.fields, write);
  const transforms = [...(write.transform?.fieldTransforms ?? []), ...write.updateTransforms];
  const { fields, results } = applyTransforms(updated, transforms, time);
  const size = checkFields(target.name, fields);
  // A write without changes keeps the document's update time, as in the real service.
  const same = current !== undefined && identicalFields(current.fields, fields);
  const next = same ? current : { ...target, fields, size, createTime: current?.createTime ?? time, updateTime: time };
  return { next, result: { updateTime: toWire(next.updateTime), transformResults: results } };
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

function checkPrecondition(current: StoredDocument | undefined, condition: Precondition | null, name: string): void {
  if (condition?.exists === true && current === undefined) throw new Refusal(status.NOT_FOUND, `No document to update: ${name}`);
  if (condition?.exists === false && current !== undefined) throw new Refusal(status.ALREADY_EXISTS, `Document already exists: ${name}`);
  if (condition?.updateTime === undefined) return;
  const required = toMicros(condition.updateTime);
  const stored = current?.updateTime ?? 0;
  if (stored !== required) {
    throw new Refusal(status.FAILED_PRECONDITION, `the stored version (${stored}) does not match the required base version (${required})`);
  }
}
