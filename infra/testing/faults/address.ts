/** Parses a `host:port`. */
export function targetOf(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(`http://${address}`);
  return { host: hostname, port: Number(port) };
}
