import { AsyncResource } from "node:async_hooks";

/**
 * Gives this process the `AsyncResource.prototype.bind` of Node 25, if its Node is older. Each request of an HTTP/2 client calls it, so each call of
 * gRPC does. Before, the function that it returned had a property `asyncResource`, long deprecated, whose accessors V8 keeps outside the young
 * generation: all that a request had made stayed in memory until a full collection, which then took tens of milliseconds.
 * Source: https://github.com/nodejs/node/pull/58618
 */
export function bindWithoutResource(): void {
  if (!("asyncResource" in new AsyncResource("populus").bind(() => undefined))) return;
  Object.defineProperty(AsyncResource.prototype, "bind", { value: bind, writable: true, configurable: true });
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** Returns the function bound to the resource's context, and to `thisArg` if there is one. It has the function's number of parameters. */
function bind(this: AsyncResource, callback: Callback, thisArg?: unknown): Callback {
  const run = (self: unknown, args: unknown[]): unknown => this.runInAsyncScope(callback, self, ...args);
  const bound: Callback =
    thisArg === undefined
      ? function (...args) {
          return run(this, args);
        }
      : (...args) => run(thisArg, args);
  return Object.defineProperty(bound, "length", { value: callback.length, configurable: true });
}
