import type { Metadata } from "@grpc/grpc-js";

/** The `authorization` of a gRPC call. */
export function authorizationOf(metadata: Metadata): string | undefined {
  const [value] = metadata.get("authorization");
  return value?.toString();
}
