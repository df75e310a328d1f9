import { status } from "@grpc/grpc-js";
import { errorStatus } from "../../../shared/google/client-error.ts";

/** Waits for a creation. Returns whether the resource already existed. */
export async function ignoreExisting(making: Promise<unknown>): Promise<boolean> {
  try {
    await making;
    return false;
  } catch (error) {
    if (errorStatus(error) === status.ALREADY_EXISTS) return true;
    throw error;
  }
}
