import { type CallCredentials, ChannelCredentials, credentials, Metadata } from "@grpc/grpc-js";
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
  return accessToken === undefined ? credentials.createInsecure() : new TokenWithoutTls(accessToken);
}

/**
 * A channel without TLS whose calls present a token. It is no kind of gRPC's own insecure credentials: those equal each other, and channels with
 * equal credentials share a connection, and with it the token.
 */
class TokenWithoutTls extends ChannelCredentials {
  readonly #token: string;
  readonly #calls: CallCredentials;

  constructor(token: string) {
    super();
    const metadata = new Metadata();
    metadata.set("authorization", authorizationOf(token));
    this.#token = token;
    this.#calls = credentials.createFromMetadataGenerator((_call, done) => done(null, metadata));
  }

  override _isSecure(): boolean {
    return false;
  }

  override _equals(other: ChannelCredentials): boolean {
    return other instanceof TokenWithoutTls && other.#token === this.#token;
  }

  override _createSecureConnector(...[target, options]: Parameters<ChannelCredentials["_createSecureConnector"]>) {
    return credentials.createInsecure()._createSecureConnector(target, options, this.#calls);
  }
}
