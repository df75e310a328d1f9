import { describe, expect, it } from "vitest";
import { verbs } from "./catalogue.ts";
import { runAdmin } from "./run.ts";

async function run(...args: string[]): Promise<string> {
  const out: string[] = [];
  const context = { note: () => undefined, ask: async () => undefined, now: () => new Date(), user: "an-operator" };
  await runAdmin(args, { ...context, out: (text) => out.push(text) });
  return out.join("");
}

describe("help", () => {
  it("lists every verb of the tool, or every verb of a noun", async () => {
    const names = Object.keys(verbs);
    const shown = (help: string) => names.filter((name) => help.includes(`\n  ${name} `));
    for (const args of [[], ["--help"], ["-h"], ["help"]]) expect(shown(await run(...args))).toEqual(names);
    for (const args of [["keys"], ["keys", "--help"]])
      expect(shown(await run(...args))).toEqual(["keys list", "keys create", "keys rotate", "keys revoke"]);
  });

  it.each(Object.entries(verbs))("of %s shows its arguments, its description and every option", async (name, { does, load }) => {
    const { words, options } = (await load()).default;
    const help = await run(...name.split(" "), "--help");
    expect(help).toContain(`Usage: npm run admin -- ${name}${words && ` ${words}`} [options]\n\n${does}\n`);
    for (const option of [...options, "json", "state", "project", "environment", "operator"])
      expect(help).toMatch(new RegExp(`^ {2}--${option} .*\\S`, "m"));
    expect(await run(...name.split(" "), "-h", "--json")).toBe(help);
  });
});

describe("a wrong command", () => {
  it.each([
    [["kes", "list"], '"kes" is not a verb; did you mean npm run admin -- keys?'],
    [["keys", "rotat"], '"rotat" is not a verb of keys; did you mean npm run admin -- keys rotate?'],
    [["keys", "purge"], '"purge" is not a verb of keys; verbs: list, create, rotate, revoke'],
    [["toString"], '"toString" is not a verb; verbs: customers, keys, scopes, datasets, quotas, jobs, databases, audit, tick'],
    [["keys", "constructor"], '"constructor" is not a verb of keys; verbs: list, create, rotate, revoke'],
    [["keys", "rotate", "acmemobility"], "keys rotate: LABEL is missing; usage: npm run admin -- keys rotate UID LABEL"],
    [["scopes", "grant", "acmemobility"], "scopes grant: SCOPE… is missing; usage: npm run admin -- scopes grant UID [LABEL] SCOPE…"],
    [["customers", "list", "all"], 'customers list: Unexpected argument "all"; usage: npm run admin -- customers list'],
    [["customers", "show", "a", "--operater", "ada"], "customers show: Unknown option '--operater'; did you mean --operator?"],
    [["customers", "show", "a", "--verbosely"], "customers show: Unknown option '--verbosely'; options: --help, --json, "],
    [["customers", "list", "--json=yes"], "customers list: --json takes no value"],
  ])("%j is rejected with a hint", async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});
