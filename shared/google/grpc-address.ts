import { type ChannelCredentials, credentials } from "@grpc/grpc-js";

/** Returns client options for a local address `host:port` without TLS; no options for the real service, whose address the client knows. */
export function grpcAddress(address: string | undefined): { apiEndpoint?: string; port?: number; sslCreds?: ChannelCredentials } {
  if (address === undefined) return {};
  const { hostname, port } = new URL(`http://${address}`);
  return { apiEndpoint: hostname, port: Number(port), sslCreds: credentials.createInsecure() };
}
