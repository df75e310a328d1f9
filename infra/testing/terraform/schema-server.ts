import { fileURLToPath } from "node:url";
import { type handleUnaryCall, Server, type ServiceDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { bindLoopback } from "../../local/tasks/wire/grpc-service.ts";
import type { Block, ProviderSchema } from "./schema.ts";

const PROTOCOL = fileURLToPath(new URL("plugin-protocol.proto", import.meta.url));
const PROTOCOL_VERSION = 5;

/** Providers that know their schemas and nothing else, while they are served. */
export interface SchemaServer {
  /** The variables by which Terraform finds them: https://developer.hashicorp.com/terraform/plugin/debugging */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * Serves providers to Terraform on this machine's loopback interface. They answer what `terraform validate` and a `terraform test` with `mock_provider` ask
 * a provider for: its schema. Every configuration passes their own validation, and they create, read and change nothing: without `mock_provider` a plan fails.
 * @param schemas by source, as `required_providers` names them
 */
export async function serveSchemas(schemas: Readonly<Record<string, ProviderSchema>>): Promise<SchemaServer> {
  const servers: Server[] = [];
  const close = (): void => {
    for (const server of servers) server.forceShutdown();
  };
  try {
    const addresses = await Promise.all(
      Object.entries(schemas).map(async ([source, schema]) => {
        const server = serverOf(schema);
        servers.push(server);
        return [source, await bindLoopback(server, 0)] as const;
      }),
    );
    const attached = addresses.map(([source, address]) => [
      source,
      { Protocol: "grpc", ProtocolVersion: PROTOCOL_VERSION, Pid: process.pid, Test: true, Addr: { Network: "tcp", String: address } },
    ]);
    return { environment: { TF_REATTACH_PROVIDERS: JSON.stringify(Object.fromEntries(attached)) }, close };
  } catch (error) {
    close();
    throw error;
  }
}

function serverOf(schema: ProviderSchema): Server {
  const service = providerService();
  const server = new Server();
  // Written once: each run of Terraform asks for it.
  const written = service.getSchema?.responseSerialize(schemasOf(schema));
  if (!service.getSchema || !written) throw new Error("The protocol has no GetSchema");
  service.getSchema.responseSerialize = () => written;
  const nothing: handleUnaryCall<unknown, object> = (_, callback) => callback(null, {});
  const prepareProviderConfig: handleUnaryCall<object, object> = ({ request }, callback) => callback(null, request);
  server.addService(service, {
    getSchema: nothing,
    prepareProviderConfig,
    stop: nothing,
    validateDataSourceConfig: nothing,
    validateResourceTypeConfig: nothing,
  });
  return server;
}

function providerService(): ServiceDefinition {
  const definition = loadSync(PROTOCOL, { enums: String })["tfplugin5.Provider"];
  if (definition === undefined || "format" in definition) throw new Error(`${PROTOCOL} describes no service`);
  // A copy: each server writes a schema of its own.
  return Object.fromEntries(Object.values(definition).map((method) => [method.originalName ?? method.path, { ...method }]));
}

function schemasOf({ provider, resources, dataSources }: ProviderSchema): object {
  const all = (blocks: Readonly<Record<string, Block>>) =>
    Object.fromEntries(Object.entries(blocks).map(([type, block]) => [type, { block: messageOf(block) }]));
  return {
    provider: { block: messageOf(provider) },
    resourceSchemas: all(resources),
    dataSourceSchemas: all(dataSources),
    serverCapabilities: { getProviderSchemaOptional: true },
  };
}

function messageOf({ attributes, blocks }: Block): object {
  return {
    attributes: attributes.map(({ name, type, required, optional, computed }) => ({
      name,
      type: Buffer.from(JSON.stringify(type)),
      required,
      optional,
      computed,
    })),
    blockTypes: blocks.map(({ name, nesting, min, max, block }) => ({
      typeName: name,
      nesting,
      minItems: min,
      maxItems: max,
      block: messageOf(block),
    })),
  };
}
