import { once } from "node:events";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { startProgram } from "./browser-program.ts";

/** A screen that nobody sees. */
export interface Display {
  /** The variables that lead a program to it. WebGL is drawn by the processor. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts Xvfb with a free number. Without a screen neither Firefox nor WebKitGTK has WebGL. */
export async function openDisplay(): Promise<Display> {
  const screen = startProgram("Xvfb", ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {});
  return screen.opened(async () => {
    const [number] = v.parse(v.tuple([v.string()]), await once(createInterface(screen.stdout), "line"));
    return { environment: { DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: "1" }, close: screen.stop };
  });
}
