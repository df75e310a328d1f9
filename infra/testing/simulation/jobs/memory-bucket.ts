import type { Exports } from "../../../../shared/google/storage.ts";
import type { Process } from "../process.ts";

/** The content of an object, compared by value: the data version of a part, or the text of a manifest. */
export type Content = number | string;

/** An in-memory export bucket. Removing a prefix is a list, then a call for each object. */
export interface MemoryBucket {
  readonly files: ReadonlyMap<string, Content>;
  /** Writes a part, as the warehouse does. */
  readonly write: (name: string, content: Content) => void;
  readonly portOf: (process: Process) => Exports;
}

/** @param watch called after every change with the object's name and its previous content */
export function memoryBucket(watch: (name: string, before: Content | undefined) => void = () => undefined): MemoryBucket {
  const files = new Map<string, Content>();
  const write = (name: string, content: Content): void => {
    const before = files.get(name);
    files.set(name, content);
    watch(name, before);
  };
  const remove = (name: string): void => {
    const before = files.get(name);
    // Another process may have removed it first. The client ignores that.
    if (files.delete(name)) watch(name, before);
  };
  const named = (prefix: string): string[] => [...files.keys()].filter((name) => name.startsWith(prefix)).sort();
  return {
    files,
    write,
    portOf: ({ step }) => ({
      list: (prefix) =>
        step(
          `exports.list ${brief(prefix)}`,
          () => named(prefix).map((name) => ({ name: name.slice(name.lastIndexOf("/") + 1), size: 1, crc32c: String(files.get(name)) })),
          { tell: (found) => found.map(({ name }) => name).join(", ") },
        ),
      writeJson: (name, content) =>
        step(
          `exports.writeJson ${brief(name)}`,
          () => {
            const isNew = !files.has(name);
            if (isNew) write(name, JSON.stringify(content));
            return isNew;
          },
          { mayRepeat: true, tell: (isNew) => (isNew ? "created" : "exists") },
        ).then(() => undefined),
      remove: async (prefix, isFirst) => {
        const names = await step(`exports.remove ${brief(prefix)}`, () => named(prefix), { tell: (found) => `${found.length} objects` });
        const deleteAll = (some: readonly string[]) =>
          Promise.all(some.map((name) => step(`exports.delete ${brief(name)}`, () => remove(name))));
        await deleteAll(names.filter(isFirst));
        await deleteAll(names.filter((name) => !isFirst(name)));
      },
    }),
  };
}

/** Formats an object's name for a trace: the job's last digits and the file name. */
export function brief(name: string): string {
  const [, , job = "", , file = ""] = name.split("/");
  return `#${job.slice(-12).replace(/^0+/, "")}/${file}`;
}
