/** The exported example company whose files lost their keys: an import makes no second SOP, and its plan is its run. */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDemo, type Demo } from "../screens/demo.ts";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

let demo: Demo;
let folder: Folder;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await openDemo();
  folder = makeFolder();
  const client = await demo.as("ines.carvalho");
  const { token } = await client.tokens.create({ body: { name: "cli", scopes: ["sops:read", "sops:write"] } });
  env = { SOP_SERVER: demo.url, SOP_TOKEN: token };
  expect((await sop("export", "-o", "published")).code).toBe(0);
  expect((await sop("export", "-o", "drafts", "--drafts")).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await demo.stop();
  folder.remove();
});

const sop = (...args: string[]) => callSop(args, { cwd: folder.path, env });
const filesIn = (name: string) =>
  readdirSync(join(folder.path, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder.path, name, file));

/** A copy of an export. @param change the new text of a file, after the keys are gone */
function lose(
  from: "published" | "drafts",
  name: string,
  change = (text: string, _at: number) => text,
): readonly string[] {
  rmSync(join(folder.path, name), { recursive: true, force: true });
  cpSync(join(folder.path, from), join(folder.path, name), { recursive: true });
  const files = filesIn(name).filter((file) => /^sop: /m.test(readFileSync(file, "utf8")));
  for (const [at, file] of files.entries())
    writeFileSync(file, change(readFileSync(file, "utf8").replace(/^(?:sop|id|version): .*\n/gm, ""), at));
  return files;
}

interface Row {
  path: string;
  outcome: string;
  reason?: string;
}
async function rowsOf(...args: string[]): Promise<readonly Row[]> {
  const { stdout } = await sop("import", ...args, "--json");
  const { data } = JSON.parse(stdout) as { data: { results: Row[] } };
  return data.results.map(({ path, outcome, reason }) => ({ path, outcome, ...(reason !== undefined && { reason }) }));
}
const isKnown = ({ outcome }: Row) => ["unchanged", "conflict", "duplicate"].includes(outcome);

describe("an exported company without keys", { timeout: 120_000 }, () => {
  const names = (at: number) => `text-${(at * 7) % 29}-${at}.md`;
  const retitled = (text: string, at: number) => text.replace(/^title: .*$/m, `title: "Text ${at}"`);
  test.each([
    ["published", "names that say nothing", names],
    ["published", "the names of each other", null],
    ["drafts", "names that say nothing", names],
    ["drafts", "the names of each other", null],
    ["published", "names and titles that say nothing", names, retitled],
    ["drafts", "names and titles that say nothing", names, retitled],
  ] as const)("makes no second SOP: %s texts under %s", async (from, _, nameOf, change = undefined) => {
    const files = lose(from, "renamed", change);
    expect(files.length).toBeGreaterThanOrEqual(20);
    const texts = files.map((file) => readFileSync(file, "utf8"));
    for (const [at, file] of files.entries())
      if (nameOf === null) writeFileSync(file, texts[(at + 1) % texts.length] ?? "");
      else renameSync(file, join(file, "..", nameOf(at)));
    for (const onConflict of ["skip", "theirs"]) {
      const rows = await rowsOf("renamed", "--on-conflict", onConflict);
      expect(rows.length).toBeGreaterThanOrEqual(files.length);
      expect(rows.filter((row) => !isKnown(row))).toEqual([]);
    }
  });

  test.each(["skip", "theirs"])("has the same plan and run with --on-conflict %s", async (onConflict) => {
    lose("drafts", "lost", (text, at) => (at % 5 === 0 ? `${text}\nAsk your lead first.\n` : text));
    const plan = await rowsOf("lost", "--dry-run", "--on-conflict", onConflict);
    const run = await rowsOf("lost", "--on-conflict", onConflict);
    expect(plan).toEqual(run);
    expect(run.filter(({ outcome }) => outcome === "create" || outcome === "refused")).toEqual([]);
    expect(run.some(({ outcome }) => outcome === "unchanged")).toBe(true);
  });
});
