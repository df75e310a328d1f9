import type { Ready } from "../../infra/local/ready-file.ts";
import { timed } from "./measure.ts";

/** Fires a tick by hand and waits for it. Returns its milliseconds. Throws unless it succeeds. */
export async function fireTick(ready: Ready): Promise<{ readonly ms: number }> {
  let status = 0;
  const ms = await timed(async () => {
    const answer = await fetch(ready.functions["realtime-refresh"] ?? "", { method: "POST" });
    await answer.arrayBuffer();
    status = answer.status;
  });
  if (status >= 300) throw new Error(`The tick answered ${status}`);
  return { ms };
}
