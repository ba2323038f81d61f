/** A folder of another tool comes in, one word is edited on the server, and another one in the file: git sees no more. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bytesOf, corpusFiles } from "../corpus.ts";
import { readSuite } from "../dialects/suites.ts";
import { git } from "../git.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

const word = corpusFiles("dna-extraction.docx")[0];
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A folder of each tool, with its own markup, links between its files, and an image. */
const folders: Record<string, Record<string, string | Uint8Array>> = {
  mkdocs: {
    "mkdocs.yml": "site_name: Pumps\n",
    "docs/index.md": readSuite("mkdocs"),
    "docs/pumps.md":
      "# Pumps\n\n*   Look at the [instructions of the\n    maker] and at the [index][start]\n\n    ![Valve](valve.png){ width=300 }\n\n1.  Drain the [housing][^1].\n\n[start]: index.md\n[instructions of the maker]: https://a.example/x\n[^1]: Not\n    the cover.\n",
    "docs/valve.png": png,
  },
  myst: {
    "conf.py": "project = 'Tanks'\n",
    "index.md": readSuite("myst"),
    "tanks.md":
      "# Tanks\n\n(clean)=\n## Clean the tank\n\n:::{warning}\nWear {abbr}`PPE (gloves)`.\n:::\n\nSee {doc}`index` and [how](#clean).\n",
  },
  outline: {
    "Field Operations/Pump maintenance.md":
      '# Pump maintenance\n\nSee [Replace a seal](./Pump%20maintenance/Replace%20a%20seal.md).\n\n:::warning\nClose the inlet **before** you open the cover.\n\n:::\n\n1. Close the inlet valve.\n\n    ![Valve](uploads/valve.png "right-50 =40x30")\n2. Drain the housing.\n    * Use the red bucket.\n',
    "Field Operations/Pump maintenance/Replace a seal.md":
      "# Replace a seal\n\n- [ ] Cover __closed__\n\n| Part | Limit |\n|----|----|\n| Seal | 0.2 mm |\n",
    "Field Operations/uploads/valve.png": png,
  },
  docusaurus: {
    "docs/index.mdx": readSuite("containers"),
    "docs/tabs.mdx":
      '---\nsidebar_position: 2\n---\n\nimport Tabs from \'@theme/Tabs\';\n\n# Choose a tool\n\n<Tabs>\n  <TabItem value="a" label="Wrench">\n\n  Turn it slowly.\n\n  </TabItem>\n</Tabs>\n\n:::tip[Shorter]\nUse the [pump](./index.mdx).\n:::\n\n4. Open the lid\n      <div>slowly</div>\n5. Close it\n',
  },
  word: { "dna-extraction.docx": word ? bytesOf(word) : "" },
};

let server: TestServer;
let manager: TestUser;
let token: string;
let folder: Folder;

beforeAll(async () => {
  server = await startServer("sqlite");
}, 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  manager = await (await server.company()).user("manager");
  token = (await manager.client.tokens.create({ body: { name: "cli", scopes: ["sops:read", "sops:write"] } })).token;
  folder = makeFolder({ "ws/sop.config.yaml": "schema: 1\npreset: minimal\n" });
});
afterEach(() => folder.remove());

const sop = (cwd: string, ...args: string[]) =>
  callSop(args, { cwd, env: { SOP_SERVER: server.url, SOP_TOKEN: token } });

/** What was sent: nothing for files that are as they were pulled. */
async function pushes(workspace: string): Promise<string[]> {
  const { code, stdout, stderr } = await sop(workspace, "push", "--yes", "--json");
  if (code !== 0) throw new Error(stdout + stderr);
  const { data } = JSON.parse(stdout) as { data: { results: { outcome: string }[] } };
  return data.results.map(({ outcome }) => outcome);
}

/** Adds letters to a word in the middle of the text: in a paragraph, a step or a cell. */
function edited(text: string, letters: string): string {
  const words = [...text.matchAll(/(?<=^(?:[-*>|] |\d+\. )?)\p{Lu}\p{Ll}{2,}(?= )/gmu)].filter(
    ({ index }) => index > text.indexOf("\n---\n"),
  );
  const chosen = words[Math.floor(words.length / 2)];
  if (!chosen) throw new Error(`no word to edit in ${text}`);
  const end = chosen.index + chosen[0].length;
  return text.slice(0, end) + letters + text.slice(end);
}

/** The lines of a diff, without the facts that a new version has of its own. */
async function changedLines(workspace: string): Promise<string[]> {
  const diff = await git(workspace, "diff", "-U0", "--", "sops");
  return diff.split("\n").filter((line) => /^[-+](?![-+]{2} |version: |read_minutes: )/.test(line));
}

/** What was edited: each old line and the line with the letters. */
function isOnlyEdit(lines: readonly string[], letters: string, count: number): void {
  const [before, after] = [lines.filter((line) => line.startsWith("-")), lines.filter((line) => line.startsWith("+"))];
  expect(before).toHaveLength(count);
  expect(after.map((line) => `-${line.slice(1).replace(letters, "")}`)).toEqual(before);
}

describe("a folder of another tool", { timeout: 120_000 }, () => {
  test.each(Object.entries(folders))(
    "%s: a diff holds what was edited, on the server and in the file",
    async (_, files) => {
      folder.write(Object.fromEntries(Object.entries(files).map(([name, data]) => [`from/${name}`, data])));
      const workspace = join(folder.path, "ws");
      const imported = await sop(folder.path, "import", "from", "--category", "Safety Protocols");
      expect(imported, imported.stderr).toMatchObject({ code: 0 });
      expect((await sop(workspace, "pull", "--yes")).code).toBe(0);
      await git(workspace, "init", "-q");
      await git(workspace, "add", ".");
      await git(workspace, "commit", "-qm", "pulled");
      expect(await pushes(workspace)).toEqual([]);
      expect((await sop(workspace, "status", "--short")).stdout).toBe("");

      const rows = (await manager.client.sops.list({ query: {} })).data;
      expect(rows).toHaveLength(Object.keys(files).filter((name) => /\.(mdx?|docx)$/.test(name)).length);
      for (const { id } of rows) {
        const { markdown } = await manager.client.sops.get({ params: { id } });
        const text = edited(markdown, "qzq");
        await manager.client.sops.update({ params: { id }, body: { markdown: text } });
        expect((await manager.client.sops.get({ params: { id } })).markdown).toBe(text);
      }
      expect((await sop(workspace, "pull", "--yes")).code).toBe(0);
      isOnlyEdit(await changedLines(workspace), "qzq", rows.length);
      await git(workspace, "commit", "-qam", "edited on the server");
      expect((await sop(workspace, "push", "--yes")).stdout).not.toContain("update");
      expect(await changedLines(workspace)).toEqual([]);

      const [name = ""] = readdirSync(join(workspace, "sops"), { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith(".md"),
      );
      const path = join("sops", name);
      folder.write({ [join("ws", path)]: edited(readFileSync(join(workspace, path), "utf8"), "xyx") });
      const sent = await sop(workspace, "push", "--yes");
      expect(sent, sent.stderr).toMatchObject({ code: 0 });
      const versions = (await manager.client.sops.list({ query: {} })).data.map(({ version, status }) => [
        version,
        status,
      ]);
      expect(versions.toSorted()).toEqual([...rows.slice(1).map(() => [2, "draft"]), [3, "draft"]]);
      isOnlyEdit(await changedLines(workspace), "xyx", 1);
      expect((await sop(workspace, "pull", "--yes")).code).toBe(0);
      isOnlyEdit(await changedLines(workspace), "xyx", 1);
    },
  );
});
