// Replaces google-gax's REST transport. Exports what gax's gRPC side and Firestore use from that module.
const gax = require("./gax");

exports.constructSettings = gax.constructSettings;
exports.createDefaultBackoffSettings = gax.createDefaultBackoffSettings;
exports.RetryOptions = gax.RetryOptions;
exports.defaultToObjectOptions = { keepCase: false, longs: String, enums: String, defaults: true, oneofs: true };
// The module of the errors requires this one.
Object.defineProperty(exports, "GoogleError", { get: () => require("./googleError").GoogleError });
