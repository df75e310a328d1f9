import { type ChannelCredentials, credentials, Metadata } from "@grpc/grpc-js";
import { authorizationOf } from "./access-token.ts";

interface GrpcAddress {
  readonly apiEndpoint?: string;
  readonly port?: number;
  readonly sslCreds?: ChannelCredentials;
}

/**
 * Returns client options for a local address `host:port` without TLS; no options for the real service, whose address the client knows.
 * @param accessToken sent with each call; without one, calls say nothing of their account
 */
export function grpcAddress(address: string | undefined, accessToken?: string): GrpcAddress {
  if (address === undefined) return {};
  const { hostname, port } = new URL(`http://${address}`);
  return { apiEndpoint: hostname, port: Number(port), sslCreds: withoutTls(accessToken) };
}

/** Returns the credentials of a channel without TLS. gRPC's own have no place for a token. */
export function withoutTls(accessToken: string | undefined): ChannelCredentials {
  const channel = credentials.createInsecure();
  if (accessToken === undefined) return channel;
  const metadata = new Metadata();
  metadata.set("authorization", authorizationOf(accessToken));
  const calls = credentials.createFromMetadataGenerator((_call, done) => done(null, metadata));
  const connect = channel._createSecureConnector.bind(channel);
  // Channels with other tokens must not share a connection's credentials.
  return Object.assign(channel, {
    _createSecureConnector: (...[target, options]: Parameters<typeof connect>) => connect(target, options, calls),
    _equals: (other: ChannelCredentials) => other === channel,
  });
}
