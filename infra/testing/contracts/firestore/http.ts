import { expect } from "vitest";
import type { Check } from "./check.ts";

const documents = (project: string) => `/emulator/v1/projects/${project}/databases/(default)/documents`;

/** The emulator's own HTTP interface on the same port. These checks run last, because they clear the database. */
export const httpChecks: readonly Check[] = [
  {
    name: "DELETE on the emulator's path clears the database, on the gRPC port",
    async run({ address, project, fresh }) {
      const collection = fresh();
      await collection.doc("a/b/c").set({ n: 1 });
      const response = await fetch(`http://${address}${documents(project)}`, { method: "DELETE" });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({});
      expect((await collection.listDocuments()).length).toBe(0);
      await collection.doc("a").create({ n: 2 });
    },
  },
  {
    name: "clearing another project is refused",
    async run({ address, fresh }) {
      const ref = fresh().doc("x");
      await ref.set({ n: 1 });
      const response = await fetch(`http://${address}${documents("demo-elsewhere")}`, { method: "DELETE" });
      expect(response.status).toBe(400);
      expect((await ref.get()).exists).toBe(true);
    },
  },
  {
    name: "GET / returns Ok; other paths return 404",
    async run({ address }) {
      const root = await fetch(`http://${address}/`);
      expect([root.status, await root.text()]).toEqual([200, "Ok\n"]);
      const other = await fetch(`http://${address}/elsewhere`);
      expect([other.status, await other.text()]).toEqual([404, "Not Found\n"]);
    },
  },
];
