import { messageOf } from "../../../../shared/runtime/error-message.ts";
import type { Tool } from "../client.ts";

/** A tool that is installed the first time it is asked for. */
export interface InstalledOnce<Made> extends Tool {
  /** Returns what was installed. */
  installed(): Promise<Made>;
}

/** Describes a tool. `install` rejects with the reason when it cannot be had. */
export function installedOnce<Made>(install: () => Promise<Made>): InstalledOnce<Made> {
  let made: Promise<Made> | undefined;
  const installed = (): Promise<Made> => {
    made ??= install();
    return made;
  };
  return {
    installed,
    find: async () => {
      try {
        await installed();
        return { found: true };
      } catch (error) {
        return { found: false, missing: messageOf(error) };
      }
    },
  };
}
