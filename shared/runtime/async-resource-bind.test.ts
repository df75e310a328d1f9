import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { expect, it } from "vitest";
import { bindWithoutResource } from "./async-resource-bind.ts";

const storage = new AsyncLocalStorage<string>();

bindWithoutResource();

it("binds a function to the context in which its resource was made, and to nothing else of it", () => {
  const resource = storage.run("made", () => new AsyncResource("test"));
  const sum = resource.bind(function (this: unknown, a: number, b: number) {
    return [this, a + b, storage.getStore()];
  });
  const caller = { sum };
  expect(storage.run("called", () => caller.sum(1, 2))).toEqual([caller, 3, "made"]);
  expect(sum).toHaveLength(2);
  expect(sum).not.toHaveProperty("asyncResource");
});

it("binds a function to a value of `this`", () => {
  const self = { name: "self" };
  const bound = AsyncResource.bind(
    function (this: { readonly name: string }, more: string) {
      return this.name + more;
    },
    "test",
    self,
  );
  expect(bound.call({ name: "another" }, "!")).toBe("self!");
});

it("passes what the function throws to its caller", () => {
  const bound = new AsyncResource("test").bind(() => {
    throw new Error("thrown");
  });
  expect(bound).toThrow("thrown");
});
