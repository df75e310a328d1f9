import { createRequire } from "node:module";
import { type handleUnaryCall, type Server, ServerCredentials, type ServiceDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type * as v from "valibot";
import { shortenLongDeadlines } from "../../grpc-deadlines.ts";
import { authorizationOf } from "../../iam/authorization.ts";
import { parseRequest } from "./message-fields.ts";
import { toRpcError } from "./rpc-error.ts";

/**
 * Loads services from the protos in Google's own clients: `file` under the protos of the package `client`. Returns a look-up by full name,
 * which throws if the file has no such service. Messages decode with unset fields absent, int64 as strings and enums by name.
 */
export function loadServices(client: string, file: string): (name: string) => ServiceDefinition {
  const entryPoint = createRequire(import.meta.url).resolve(client);
  const gax = createRequire(entryPoint).resolve("google-gax");
  const definitions = loadSync(file, { longs: String, enums: String, includeDirs: [protosOf(entryPoint), protosOf(gax)] });
  return (name) => {
    const definition = definitions[name];
    if (definition === undefined || isTypeDefinition(definition)) throw new Error(`${client} ships no service ${name}`);
    return definition;
  };
}

/** The gRPC handler of a method: parses the request, runs it, and returns errors with their code. */
export function unary<Request>(
  schema: v.GenericSchema<unknown, Request>,
  run: (request: Request, signal: AbortSignal, authorization: string | undefined) => object | Promise<object>,
): handleUnaryCall<unknown, object> {
  return async (call, callback) => {
    const cancelled = new AbortController();
    call.on("cancelled", () => cancelled.abort());
    try {
      callback(null, await run(parseRequest(schema, call.request), cancelled.signal, authorizationOf(call.metadata)));
    } catch (error) {
      const { code, message } = toRpcError(error);
      callback({ code, details: message });
    }
  };
}

/** Binds to 127.0.0.1. Returns `127.0.0.1:port`. Rejects if the port is taken. */
export function bindLoopback(server: Server, port: number): Promise<string> {
  shortenLongDeadlines();
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(`127.0.0.1:${bound}`);
    });
  });
}

function protosOf(entryPoint: string): string {
  const build = entryPoint.lastIndexOf("/build/");
  return `${entryPoint.slice(0, build)}/build/protos`;
}

function isTypeDefinition(definition: object): definition is { format: string } {
  return "format" in definition && typeof definition.format === "string";
}
