import { EventEmitter, on } from "node:events";
import type { DocumentReference, Query } from "@google-cloud/firestore";
import { expect } from "vitest";
import type { Check } from "./check.ts";

/** Runs `use` with a function that returns a listener's next snapshot. Stops listening at the end. */
async function watching<T>(
  listen: (next: (snapshot: T) => void, failed: (error: Error) => void) => () => void,
  use: (next: () => Promise<T>) => Promise<void>,
): Promise<void> {
  const events = new EventEmitter();
  const snapshots = on(events, "snapshot");
  const stop = listen(
    (snapshot) => events.emit("snapshot", snapshot),
    (error) => events.emit("error", error),
  );
  try {
    await use(async () => {
      const { value } = await snapshots.next();
      return value?.[0];
    });
  } finally {
    stop();
  }
}

const changes = (ref: Query) =>
  watching.bind(undefined, (next: (text: string) => void, failed) =>
    ref.onSnapshot((snapshot) => {
      const text = snapshot.docChanges().map(({ type, doc, oldIndex, newIndex }) => `${type} ${doc.id} ${oldIndex}>${newIndex}`);
      next(`${text.join(", ")} of ${snapshot.size}`);
    }, failed),
  );

const states = (ref: DocumentReference) =>
  watching.bind(undefined, (next: (text: string) => void, failed) =>
    ref.onSnapshot((snapshot) => next(JSON.stringify(snapshot.data() ?? "missing")), failed),
  );

export const listeningChecks: readonly Check[] = [
  {
    name: "a document listener receives each state, starting with the current one",
    async run({ fresh }) {
      const ref = fresh().doc("x");
      await states(ref)(async (next) => {
        expect(await next()).toBe('"missing"');
        await ref.set({ n: 1 });
        expect(await next()).toBe('{"n":1}');
        await ref.parent.doc("y").set({ n: 9 });
        await ref.update({ n: 2 });
        expect(await next()).toBe('{"n":2}');
        await ref.delete();
        expect(await next()).toBe('"missing"');
      });
    },
  },
  {
    name: "a query listener receives added, modified and removed documents",
    async run({ fresh }) {
      const all = fresh();
      await Promise.all([all.doc("a").set({ n: 1 }), all.doc("b").set({ n: 2 }), all.doc("z").set({ n: 0 })]);
      await changes(all.where("n", ">", 0).orderBy("n"))(async (next) => {
        expect(await next()).toBe("added a -1>0, added b -1>1 of 2");
        await all.doc("c").set({ n: 1.5 });
        expect(await next()).toBe("added c -1>1 of 3");
        await all.doc("a").update({ n: 3 });
        expect(await next()).toBe("modified a 0>2 of 3");
        await all.doc("b").update({ n: 0 });
        expect(await next()).toBe("removed b 1>-1 of 2");
        await all.doc("c").delete();
        expect(await next()).toBe("removed c 0>-1 of 1");
      });
    },
  },
  {
    name: "a listener with a limit reports which document leaves and which follows",
    async run({ fresh }) {
      const all = fresh();
      await Promise.all(["a", "b", "c"].map((id, n) => all.doc(id).set({ n })));
      await changes(all.orderBy("n").limit(2))(async (next) => {
        expect(await next()).toBe("added a -1>0, added b -1>1 of 2");
        await all.doc("a").delete();
        expect(await next()).toBe("removed a 0>-1, added c -1>1 of 2");
      });
    },
  },
  {
    name: "a batch reaches a listener as one snapshot",
    async run({ db, fresh }) {
      const all = fresh();
      await changes(all)(async (next) => {
        expect(await next()).toBe(" of 0");
        const batch = db.batch();
        batch.set(all.doc("a"), { n: 1 });
        batch.set(all.doc("b"), { n: 1 });
        await batch.commit();
        expect(await next()).toBe("added a -1>0, added b -1>1 of 2");
      });
    },
  },
  {
    name: "a collection group listener covers all collections of that name",
    async run({ db, fresh }) {
      const { id } = fresh();
      await changes(db.collectionGroup(id))(async (next) => {
        expect(await next()).toBe(" of 0");
        await db.doc(`top/1/${id}/x`).set({ n: 1 });
        expect(await next()).toBe("added x -1>0 of 1");
      });
    },
  },
];
