import { messageOf } from "../../shared/runtime/error-message.ts";
import { isDiskFull } from "./disk-full.ts";
import { noRoom } from "./folder-lock.ts";
import type { CloudOptions } from "./messages.ts";
import { tellParent } from "./parent.ts";

/** Logs an error, tells the parent in one line, and ends the process of the local cloud. */
export function failCloud(error: unknown, { dataDirectory }: Pick<CloudOptions, "dataDirectory">): void {
  console.error(error);
  const isFull = isDiskFull(error) && dataDirectory !== undefined;
  const failed = messageOf(error);
  tellParent({ failed: isFull ? noRoom(dataDirectory) : failed }, () => process.exit(1));
}
