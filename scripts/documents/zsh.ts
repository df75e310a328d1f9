import { spawnSync } from "node:child_process";

/** Returns whether zsh is installed. */
export function hasZsh(): boolean {
  return spawnSync("zsh", ["--version"]).status === 0;
}

/** Returns what zsh says against the form of commands, which it does not run; undefined if it says nothing. Without the user's own settings. */
export function zshRefusal(commands: string): string | undefined {
  const { status, stderr } = spawnSync("zsh", ["-f", "-n"], { input: `${commands}\n`, encoding: "utf8" });
  return status === 0 ? undefined : stderr;
}
