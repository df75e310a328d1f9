import { type ChannelCredentials, credentials } from "@grpc/grpc-js";

/** Returns the options that connect Google's gRPC clients to a local server, for tests. */
export function loopbackClient(address: string): { apiEndpoint: string; port: number; sslCreds: ChannelCredentials; projectId: string } {
  return {
    apiEndpoint: "127.0.0.1",
    port: Number(address.slice(address.indexOf(":") + 1)),
    sslCreds: credentials.createInsecure(),
    projectId: "demo-local",
  };
}
