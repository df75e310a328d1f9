// Node's `child_process` for the clients, which call gcloud on a developer's machine: it is loaded when one does.
for (const name of ["exec", "execFile"]) exports[name] = (...values) => require("node:child_process")[name](...values);
