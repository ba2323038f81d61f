/** A first start in an empty folder, as a newcomer sees it. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "./server-process.ts";

const built = existsSync(path.join(import.meta.dirname, "../dist/server/main.js"));

test("a first start prints the set-up link, the address and no warning", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-start-"));
  try {
    const server = await startProcess({ DATA_DIR: dataDir }, built ? "dist/server/main.js" : "server/main.ts");
    await server.stop("SIGTERM");
    const lines = server.output().trim().split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^create the first administrator: http\S+$/));
    expect(lines).toContainEqual(expect.stringMatching(/^listening on http\S+$/));
    // 40 is the level of a warning in a log line
    const warnings = lines.filter((line) => /warning|deprecat/i.test(line) || /"level":[4-6]0/.test(line));
    expect(warnings).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
