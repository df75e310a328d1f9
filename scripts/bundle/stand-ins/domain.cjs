// Replaces Node's `domain` for the functions framework, which runs each request in one. A domain turns on Node's async hooks for good: they
// then track every promise until the garbage collector frees it, which takes half of a function's CPU. An AsyncLocalStorage does not.
// As there, an error thrown in a callback of a request fails this request, and any other error is Node's. Exports what the framework uses.
const { AsyncLocalStorage } = require("node:async_hooks");

const current = new AsyncLocalStorage();
let isCapturing = false;

exports.create = () => {
  capture();
  let listener;
  const domain = {
    on(_error, called) {
      listener = called;
      return domain;
    },
    run: (work) => current.run(domain, work),
    bind:
      (work) =>
      (...values) =>
        current.run(domain, () => work(...values)),
    fail: (error) => listener(error),
  };
  return domain;
};

Object.defineProperty(process, "domain", { configurable: true, get: () => current.getStore() });

function capture() {
  if (isCapturing) return;
  isCapturing = true;
  process.setUncaughtExceptionCaptureCallback((error) => {
    const domain = current.getStore();
    if (domain) domain.fail(error);
    else if (!process.emit("uncaughtException", error, "uncaughtException")) end(error);
  });
}

// What Node does with an error that nobody handles.
function end(error) {
  console.error(error);
  process.exit(1);
}
