import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { freePort } from "../../../local/free-port.ts";
import { startProgram } from "./browser-program.ts";
import { COMMANDS, type Command, type StartBrowser } from "./webdriver.ts";

const [LOOKS, LOOK_MS] = [400, 25];
const Answer = v.object({ value: v.unknown() });
const Failure = v.object({ value: v.object({ error: v.string(), message: v.string() }) });
const Session = v.object({ sessionId: v.string() });

/**
 * Starts WebKitGTK's own small browser by its driver: the engine of Safari, on Linux. With this locale, which containers have, it says that its
 * language is "C". That is no language tag, and not every script bears it.
 */
export const startWebKit: StartBrowser = async ({ program, folder, downloads, environment }) => {
  const port = await freePort();
  mkdirSync(join(folder, "config"));
  writeFileSync(join(folder, "config", "user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const own = { ...environment, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), LC_ALL: "C.UTF-8" };
  const driver = startProgram("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], own);
  driver.stdout.resume();
  const address = `http://127.0.0.1:${port}`;
  const options = { binary: program, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  return driver.opened(async () => {
    await untilListening(address);
    const { sessionId } = v.parse(Session, await send(address, "NewSession", { capabilities }));
    return { send: (command, parameters = {}) => send(address, command, parameters, sessionId), close: driver.stop };
  });
};

async function send(address: string, command: Command, parameters: Readonly<Record<string, unknown>>, session = ""): Promise<unknown> {
  const [method, path] = COMMANDS[command];
  const { id, ...body } = parameters;
  const url = `${address}${path.replace("{session}", session).replace("{id}", String(id))}`;
  const response = await fetch(url, method === "POST" ? { method, body: JSON.stringify(body) } : { method });
  const answer: unknown = await response.json();
  const failure = v.safeParse(Failure, answer);
  if (failure.success) throw new Error(`${command}: ${failure.output.value.error}: ${failure.output.value.message}`);
  return v.parse(Answer, answer).value;
}

async function untilListening(address: string): Promise<void> {
  for (let look = 1; ; look += 1) {
    try {
      await (await fetch(`${address}/status`)).arrayBuffer();
      return;
    } catch (error) {
      if (look === LOOKS) throw error;
      await delay(LOOK_MS);
    }
  }
}
