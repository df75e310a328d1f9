import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { startProgram } from "./browser-program.ts";
import { connectMarionette } from "./marionette.ts";
import type { StartBrowser } from "./webdriver.ts";

const LISTENS = /Marionette\s+INFO\s+Listening on port (\d+)/;

/** Starts the Firefox of the machine with a new profile. */
export const startFirefox: StartBrowser = async ({ program, folder, downloads, environment }) => {
  const profile = join(folder, "profile");
  mkdirSync(profile);
  writeFileSync(join(profile, "user.js"), preferences(downloads));
  const args = ["--marionette", "--no-remote", "--new-instance", "--profile", profile];
  const browser = startProgram(program, args, { ...environment, HOME: folder });
  return browser.opened(async () => {
    const marionette = await connectMarionette(await portOf(browser.stdout));
    await marionette.send("NewSession", {});
    return {
      send: (command, parameters = {}) => marionette.send(command, parameters),
      close: async () => {
        marionette.end();
        await browser.stop();
      },
    };
  });
};

/** Returns the port that a starting Firefox says it listens on. */
function portOf(output: Readable): Promise<number> {
  return new Promise((resolve) => {
    createInterface(output).on("line", (line) => {
      const [, port] = LISTENS.exec(line) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

/** Nothing but the console is asked for anything, and what moves does not. */
function preferences(downloads: string): string {
  const values = {
    "marionette.port": 0,
    "browser.download.folderList": 2,
    "browser.download.dir": downloads,
    "ui.prefersReducedMotion": 1,
    // A screen without a manager of windows gives none the focus.
    "focusmanager.testmode": true,
    "browser.shell.checkDefaultBrowser": false,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    "app.normandy.enabled": false,
    "services.settings.server": "",
  };
  return Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join("");
}
