/** The commands of W3C WebDriver that the checks need, and what each is over HTTP (https://www.w3.org/TR/webdriver2/). */
export const COMMANDS = {
  NewSession: ["POST", "/session"],
  SetTimeouts: ["POST", "/session/{session}/timeouts"],
  SetWindowRect: ["POST", "/session/{session}/window/rect"],
  Navigate: ["POST", "/session/{session}/url"],
  FindElement: ["POST", "/session/{session}/element"],
  ElementClick: ["POST", "/session/{session}/element/{id}/click"],
  ElementClear: ["POST", "/session/{session}/element/{id}/clear"],
  ElementSendKeys: ["POST", "/session/{session}/element/{id}/value"],
  ExecuteAsyncScript: ["POST", "/session/{session}/execute/async"],
  PerformActions: ["POST", "/session/{session}/actions"],
  TakeScreenshot: ["GET", "/session/{session}/screenshot"],
} as const satisfies Record<string, readonly [method: string, path: string]>;

export type Command = keyof typeof COMMANDS;

/** A browser that takes commands of WebDriver. */
export interface WebDriver {
  /** Sends a command and returns the value of its answer. Throws an Error with what the browser says. */
  send(command: Command, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** What a browser is started with. */
interface BrowserStart {
  readonly program: string;
  /** An empty folder for its profile. */
  readonly folder: string;
  /** Where it saves files, without asking. */
  readonly downloads: string;
  /** Leads it to a display. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a browser, with a session of WebDriver. */
export type StartBrowser = (start: BrowserStart) => Promise<WebDriver>;
