import { globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Check, Client, Tool } from "../client.ts";
import { walkThroughConsole } from "./console.ts";
import { openDisplay } from "./display.ts";
import { startFirefox } from "./firefox.ts";
import { Page } from "./page.ts";
import type { StartBrowser } from "./webdriver.ts";
import { startWebKit } from "./webkit.ts";

/** Packages of Debian, and where each has its program. */
const FIREFOX = { "firefox-esr": "/usr/bin/firefox-esr" };
const WEBKIT = { "libwebkit2gtk-4.1-0": "/usr/lib/*/webkit2gtk-4.1/MiniBrowser" };
const WEBKIT_DRIVER = { "webkit2gtk-driver": "/usr/bin/WebKitWebDriver" };
const DISPLAY = { xvfb: "/usr/bin/Xvfb" };

function installed(packages: Readonly<Record<string, string>>): Tool {
  return {
    find: async () => {
      const missing = Object.keys(packages).filter((name) => globSync(packages[name] ?? "").length === 0);
      return missing.length === 0 ? { found: true } : { found: false, missing: `${missing.join(", ")}: not installed (Debian's packages)` };
    },
  };
}

function theConsole(place: string, start: StartBrowser): Check {
  return {
    name: "the web console: an area and its headcount, a day on the map, a file",
    quick: true,
    run: async (context) => {
      const [program = place] = globSync(place);
      const [folder, downloads] = [join(context.folder, "browser"), join(context.folder, "downloads")];
      for (const made of [folder, downloads]) mkdirSync(made);
      const display = await openDisplay();
      try {
        const driver = await start({ program, folder, downloads, environment: display.environment });
        try {
          await walkThroughConsole(new Page(driver), context, downloads);
        } finally {
          await driver.close();
        }
      } finally {
        await display.close();
      }
    },
  };
}

export const firefox: Client = {
  name: "firefox",
  tool: installed({ ...FIREFOX, ...DISPLAY }),
  checks: [theConsole(FIREFOX["firefox-esr"], startFirefox)],
};

/** The engine of Safari, as GTK has it. */
export const webkit: Client = {
  name: "webkit",
  tool: installed({ ...WEBKIT, ...WEBKIT_DRIVER, ...DISPLAY }),
  checks: [theConsole(WEBKIT["libwebkit2gtk-4.1-0"], startWebKit)],
};
