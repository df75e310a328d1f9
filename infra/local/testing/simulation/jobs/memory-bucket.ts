import type { Exports } from "../../../../../shared/google/storage.ts";
import type { Process } from "../process.ts";

/** Content that is one when it is the same: the version of the data in a part, or the text of a manifest. */
export type Content = number | string;

/** The export bucket in memory. Removing a prefix is a list, then a call for each object. */
export interface MemoryBucket {
  readonly files: ReadonlyMap<string, Content>;
  /** A part that the warehouse writes. */
  readonly write: (name: string, content: Content) => void;
  readonly portOf: (process: Process) => Exports;
}

/** @param watch sees every change as soon as it has taken effect: the object's name and what was there before */
export function memoryBucket(watch: (name: string, before: Content | undefined) => void = () => undefined): MemoryBucket {
  const files = new Map<string, Content>();
  const write = (name: string, content: Content): void => {
    const before = files.get(name);
    files.set(name, content);
    watch(name, before);
  };
  const remove = (name: string): void => {
    const before = files.get(name);
    // Another may have been quicker: the client is told to overlook that.
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
          { mayRepeat: true, tell: (isNew) => (isNew ? "created" : "there already") },
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

/** An object's name in a trace: what it ends in, behind the job's last digits. */
export function brief(name: string): string {
  const [, , job = "", , file = ""] = name.split("/");
  return `#${job.slice(-12).replace(/^0+/, "")}/${file}`;
}
