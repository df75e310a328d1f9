import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostMachine } from "./machine.ts";

let home: string;
let java: string;

/** A Java that says its version on stderr, as `java -version` does. */
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "populus-java-"));
  java = join(home, "bin", "java");
  mkdirSync(join(home, "bin"));
  writeFileSync(java, "#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n", { mode: 0o755 });
});

afterEach(() => rmSync(home, { recursive: true }));

describe("the version of a Java", () => {
  it("is what its installation says, for which it is not started", async () => {
    writeFileSync(join(home, "release"), 'IMPLEMENTOR="Debian"\nJAVA_VERSION="21.0.2"\nOS_NAME="Linux"\n');
    expect(await hostMachine().javaVersion(java)).toBe('JAVA_VERSION="21.0.2"');
  });

  it("is what it says itself where the installation says nothing", async () => {
    expect(await hostMachine().javaVersion(java)).toContain('openjdk version "17.0.1"');
  });

  it("is unknown of one that does not run", async () => {
    writeFileSync(join(home, "release"), 'JAVA_VERSION="21.0.2"\n');
    expect(await hostMachine().javaVersion(join(home, "bin", "javac"))).toBeUndefined();
  });
});
