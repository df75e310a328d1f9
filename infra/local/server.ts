/** A running part of the local cloud. `address` is `127.0.0.1:port`. */
export interface LocalServer {
  readonly address: string;
  close(): Promise<void>;
}
