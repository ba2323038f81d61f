/** `sop improve`: by rules, by a provider on loopback and through a server; shown, written, refused. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProposedEdit } from "#core/ai/improve.ts";
import { startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import { refusesWith } from "../provider-failures.ts";
import { startServer, type Company, type TestServer } from "../server.ts";
import { callSop, makeFolder, runSop, type Folder } from "./run-sop.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";
const head = '---\ntitle:   "Valve"\ndescription: "Opens it"   # kept\nx-own: [a,   b]\n---\n\n';
const text = `${head}## Purpose

Nobody gets hurt.

## Procedure

*  Tools:   none

1. The valve should be opened as needed at 5 bar.
2. Close the valve.
`;

let provider: FakeProvider;
let server: TestServer;
let company: Company;
let token: string;
let folder: Folder;

beforeAll(async () => {
  provider = await startFakeProvider(key);
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: provider.url, OPENAI_MODEL: "small" };
  server = await startServer("sqlite", { env });
  company = await server.company();
  const editor = await company.user("editor");
  const scopes = ["sops:read", "sops:write"] as ("sops:read" | "sops:write")[];
  token = (await editor.client.tokens.create({ body: { name: "cli", scopes } })).token;
}, 60_000);
afterAll(() => Promise.all([provider.stop(), server.stop()]));
beforeEach(() => {
  folder = makeFolder({ "a.md": text });
  provider.answer = null;
  provider.requests.length = 0;
  provider.chats.length = 0;
  propose({ blockId: "b5", markdown: "1. Open the valve at 5 bar.\n2. Close the valve.", why: "Says who acts." });
});
afterEach(() => folder.remove());

function propose(...edits: Partial<ProposedEdit>[]): void {
  const full = edits.map((edit) => ({ op: "replace", blockId: "b5", markdown: "", why: "Clearer.", ...edit }));
  provider.answerChat = () => ({ summary: "Nothing changes its meaning.", edits: full });
}

const ai = () => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: provider.url, OPENAI_MODEL: "small" });
const signedIn = () => ({ SOP_SERVER: server.url, SOP_TOKEN: token });
const sop = (args: string[], env: Record<string, string> = {}) => callSop(args, { cwd: folder.path, env });
const read = () => readFileSync(join(folder.path, "a.md"), "utf8");
const better = text.replace("The valve should be opened as needed at", "Open the valve at");

describe("by AI", () => {
  test("shows the proposals alone as a diff that git applies, with reasons on stderr; nothing is written", async () => {
    const ran = await sop(["improve", "a.md"], ai());
    expect(ran.code).toBe(0);
    expect(ran.stdout.split("\n").filter((line) => /^[-+]/.test(line))).toEqual([
      "--- a/a.md",
      "+++ b/a.md",
      "-1. The valve should be opened as needed at 5 bar.",
      "+1. Open the valve at 5 bar.",
    ]);
    expect(ran.stderr).toContain("By small-2026 (70 + 30 tokens): 1 unchecked proposed change.");
    expect(ran.stderr).toContain("  1 proposed change, none marked\n  line 15: “Says who acts.”\n");
    expect(ran.stderr).not.toContain("Nothing changes its meaning");
    expect(ran.stderr).toContain("Nothing is written. Add --write to write it.");
    expect(read()).toBe(text);
    const applied = spawnSync("git", ["apply", "-"], { cwd: folder.path, input: ran.stdout, encoding: "utf8" });
    expect([applied.status, applied.stderr, read()]).toEqual([0, "", better]);
  });

  test("--write writes the proposals and nothing else: front matter and other blocks keep their bytes", async () => {
    const ran = await sop(["improve", "a.md", "--write", "--detailed-exitcode"], ai());
    expect([ran.code, ran.stdout]).toEqual([0, "a.md\n"]);
    expect(read()).toBe(better);
  });

  test.each([
    ["Windows line ends", (bare: string) => bare.replaceAll("\n", "\r\n")],
    ["a byte order mark", (bare: string) => `\uFEFF${bare}`],
    ["no front matter", (bare: string) => bare.slice(head.length)],
    ["no line end at the end", (bare: string) => bare.trimEnd()],
  ])("keeps %s", async (_, change) => {
    folder.write({ "a.md": change(text) });
    expect((await sop(["improve", "a.md", "--write"], ai())).code).toBe(0);
    expect(read()).toBe(change(better));
  });

  test("leaves out a proposal that would lose something, and says what it would lose", async () => {
    propose({ markdown: "1. Open the valve.\n2. Close the valve.", why: "Short." }, { blockId: "b99", markdown: "x" });
    const ran = await sop(["improve", "a.md", "--detailed-exitcode"], ai());
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr).toContain(
      "left out: line 15: loses what must stay: 5bar “Short.”\n    changes figure “5bar” removed\n",
    );
    expect(ran.stderr).toContain("left out: no such block “Clearer.”");
    expect(ran.stderr).toContain("nothing to change");
    expect(ran.stderr).not.toContain("--write");
  });

  test("takes a marked proposal with --marked alone, and says what it changes", async () => {
    propose(
      { markdown: "1. Close the valve at 5 bar.\n2. Open the valve.", why: "Shorter." },
      { blockId: "b2", markdown: "Nobody is hurt.", why: "Plainer." },
    );
    const plainer = text.replace("Nobody gets hurt.", "Nobody is hurt.");
    const ran = await sop(["improve", "a.md", "--write", "--detailed-exitcode"], ai());
    expect([ran.code, read()]).toEqual([10, plainer]);
    expect(ran.stderr).toContain("2 proposed changes, 1 marked: 2 figures, the order");
    expect(ran.stderr).toMatch(/not taken: line 15: “Shorter\.”\n {4}changes .*\n/);
    expect(ran.stderr).toContain("1 marked change not taken. Read each one, then add --marked to take them.");
    folder.write({ "a.md": text });
    expect((await sop(["improve", "a.md", "--write", "--marked"], ai())).code).toBe(0);
    expect(read()).toContain("1. Close the valve at 5 bar.");
  });

  test("--detailed-exitcode is 10 when there are proposals", async () => {
    expect((await sop(["improve", "a.md", "--detailed-exitcode"], ai())).code).toBe(10);
  });

  test.each([
    ["improve", "Put right what the findings name"],
    ["clarity", "Make the wording clear and short"],
    ["detail", "Add what a newcomer needs"],
  ])("--kind %s asks for it", async (kind, words) => {
    await sop(["improve", "a.md", "--kind", kind], ai());
    expect(provider.chats[0]?.messages[0]?.content).toContain(words);
    const { untrusted } = JSON.parse(provider.chats[0]?.messages[1]?.content ?? "") as { untrusted: object };
    expect(untrusted).toMatchObject({ title: "Valve", blocks: [{ id: "b1", markdown: "## Purpose" }, {}, {}, {}, {}] });
  });

  test("stdin with --write comes out whole; --json tells everything", async () => {
    const options = { cwd: folder.path, env: ai(), input: text };
    expect((await runSop(["improve", "-", "--write", "-q"], options)).stdout).toBe(better);
    const { stdout } = await sop(["improve", "a.md", "--json"], ai());
    expect(JSON.parse(stdout)).toMatchObject({
      schema: "sop.improve/1",
      ok: true,
      data: {
        path: "a.md",
        kind: "improve",
        changed: true,
        written: false,
        by: { kind: "ai", server: null, model: "small-2026", prompt: "improve-sop@1", calls: 1 },
        edits: [{ blockId: "b5", line: 15, why: "Says who acts." }],
        dropped: [],
      },
    });
  });

  test("a file that was changed while the AI worked is not written over", async () => {
    const { answerChat } = provider;
    provider.answerChat = (chat) => {
      writeFileSync(join(folder.path, "a.md"), `${text}\nMine.\n`);
      return answerChat?.(chat) ?? "";
    };
    const ran = await sop(["improve", "a.md", "--write"], ai());
    expect([ran.code, ran.stderr]).toEqual([6, expect.stringContaining("changed while the command ran")]);
    expect(read()).toBe(`${text}\nMine.\n`);
  });

  test("what a model says can't steer a terminal or pass for a line of ours", async () => {
    propose({ markdown: "1. Open the valve at 5 bar.\n2. Close the valve.", why: "a\u001b[2Jb\nerror: forged\u202e" });
    const ran = await sop(["improve", "a.md"], ai());
    for (const mark of ["\u001b", "\u202e", "\nerror:"]) expect(ran.stderr).not.toContain(mark);
  });

  test.each([
    [401, 4, "rejected the key"],
    [500, 5, "Can't reach the AI provider"],
    [429, 5, "provider is busy"],
  ])("a provider that answers %i ends it with %i, and nothing of the key is shown", async (status, code, says) => {
    provider.answer = refusesWith(status, {});
    const ran = await sop(["improve", "a.md", "--write"], ai());
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(says)]);
    expect(ran.stdout + ran.stderr).not.toContain(key.slice(8, 16));
    expect(read()).toBe(text);
  });

  test("a provider that hangs is waited for as long as was said", async () => {
    provider.answer = () => undefined;
    const ran = await sop(["improve", "a.md", "--timeout", "1"], ai());
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("took too long")]);
  });
});

describe("through a server", () => {
  test("who is signed in and has no key asks it; the call is recorded there, and nothing is stored", async () => {
    const ran = await sop(["improve", "a.md", "--write"], signedIn());
    expect([ran.code, ran.stdout]).toEqual([0, "a.md\n"]);
    expect(read()).toBe(better);
    expect(ran.stderr).toContain(`By small-2026 through ${server.url}`);
    const { db } = server;
    expect(await db.forCompany(company.id).collection("ai_calls").find({})).toMatchObject([{ kind: "improve" }]);
    expect(await db.forCompany(company.id).collection("sops").find({})).toEqual([]);
  });

  test("prefers a server named by a flag to the user's own key", async () => {
    const env = { ...ai(), OPENAI_BASE_URL: "http://127.0.0.1:9/v1", SOP_TOKEN: token };
    const ran = await sop(["improve", "a.md", "--kind", "clarity", "--server", server.url], env);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("through")]);
    expect(provider.chats[0]?.messages[0]?.content).toContain("Make the wording clear and short");
  });

  test.each([
    ["repeats the title", head, "# Valve"],
    ["stands for the title", "", "# Another"],
  ])("a heading that %s stays as it is, there and here", async (_, front, heading) => {
    const titled = (whole: string) =>
      front + whole.slice(head.length).replace("## Purpose", `${heading}\n\n## Purpose`);
    for (const env of [signedIn(), ai()]) {
      folder.write({ "a.md": titled(text) });
      expect((await sop(["improve", "a.md", "--write"], env)).code).toBe(0);
      expect(read()).toBe(titled(better));
    }
    const asked = provider.chats.map(({ messages }) => JSON.parse(messages[1]?.content ?? "") as { untrusted: object });
    const title = front === "" ? "Another" : "Valve";
    const blocks = [{ id: "b1", markdown: "## Purpose" }, {}, {}, {}, {}];
    expect(asked).toMatchObject(Array.from({ length: 2 }, () => ({ untrusted: { title, blocks } })));
  });

  test("has an exit code for AI turned off, an invalid token and no server", async () => {
    await company.set({ "settings.aiEnabled": false });
    const off = await sop(["improve", "a.md"], signedIn());
    expect([off.code, off.stderr]).toEqual([4, expect.stringContaining("switched off in your company")]);
    expect(off.stderr).toContain("--rules");
    await company.set({ "settings.aiEnabled": true });
    expect((await sop(["improve", "a.md"], { ...signedIn(), SOP_TOKEN: "sop_pat_none" })).code).toBe(4);
    expect((await sop(["improve", "a.md"], { ...signedIn(), SOP_SERVER: "http://127.0.0.1:9" })).code).toBe(5);
    provider.answer = refusesWith(429, { code: "insufficient_quota" });
    const spent = await sop(["improve", "a.md"], signedIn());
    expect([spent.code, spent.stderr]).toEqual([5, expect.stringContaining("no credit left")]);
  });

  test("generate --save has its AI write the draft; where it has none the template is taken, and it says so", async () => {
    const { draftAnswer } = await import("../ai-answers.ts");
    provider.answerChat = () => draftAnswer;
    const made = await sop(["generate", "Drain tank 4", "--save", "--json"], signedIn());
    expect(made.code).toBe(0);
    const { data } = JSON.parse(made.stdout) as { data: { sop: { id: string } } };
    expect(data).toMatchObject({ title: "Drain the tank", source: { kind: "ai", made: { prompt: "generate-sop@1" } } });
    const stored = await server.db.forCompany(company.id).collection("sops").find({});
    expect(stored).toMatchObject([{ _id: data.sop.id, status: "draft", isAiGenerated: true }]);
    await company.set({ "settings.aiEnabled": false });
    const plain = await sop(["generate", "Reset a password", "--save"], signedIn());
    await company.set({ "settings.aiEnabled": true });
    expect(plain.code).toBe(0);
    expect(plain.stderr).toContain("The server's AI can't be asked: AI features are switched off in your company.");
    expect(plain.stderr).toContain("From the template password-reset");
    provider.answer = refusesWith(500, {});
    expect((await sop(["generate", "Reset a password", "--save"], signedIn())).code).toBe(5);
  });
});

describe("by rules", () => {
  test("safe fixes and canonical form of the body, and what is still to be done; no AI is asked", async () => {
    const ran = await sop(["improve", "a.md", "--rules", "--write"], ai());
    expect([ran.code, ran.stdout]).toEqual([0, "a.md\n"]);
    expect(read()).toBe(text.replace("*  Tools:   none", "- Tools:   none").replace("5 bar", "5\u00a0bar"));
    expect(ran.stderr).toContain("By rules, without AI:");
    expect(ran.stderr).toMatch(/line \d+: error struct\/sections: The section Scope is missing/);
    expect(provider.requests).toEqual([]);
    const again = await sop(["improve", "a.md", "--kind", "formatting", "--detailed-exitcode"]);
    expect([again.code, again.stdout]).toEqual([0, ""]);
  });

  test("finds what sop lint finds, by the rules of the workspace", async () => {
    folder.write({ "sop.config.yaml": "schema: 1\nrules:\n  struct/sections: off\n" });
    const improved = await sop(["improve", "a.md", "--rules", "--write", "--json"]);
    const { data } = JSON.parse(improved.stdout) as { data: { findings: { rule: string; line: number }[] } };
    const linted = await sop(["lint", "a.md", "--format", "jsonl", "--fail-on", "never", "--no-cache"]);
    const lines = linted.stdout.trim().split("\n");
    const found = lines.map((line) => JSON.parse(line) as { rule: string; line: number });
    expect(found.length).toBeGreaterThan(0);
    const shown = (rows: { rule: string; line: number }[]) => rows.map(({ rule, line }) => `${line} ${rule}`).sort();
    expect(shown(data.findings)).toEqual(shown(found.filter(({ rule }) => rule !== undefined)));
    expect(JSON.stringify(data.findings)).not.toContain("struct/sections");
  });
});

test.each<[string, string[], Record<string, string>, number, string]>([
  ["no AI to ask", ["a.md"], {}, 4, "`sop improve --rules` needs neither"],
  ["a server one is not signed in to", ["a.md", "--server", "http://127.0.0.1:9"], {}, 4, "not signed in"],
  [
    "a key that would travel in the clear",
    ["a.md"],
    { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://ai.example" },
    2,
    "https",
  ],
  ["a file that is not there", ["b.md"], {}, 2, "b.md"],
  ["no Markdown", ["c.txt"], {}, 2, "only Markdown files"],
  ["a folder of several", ["."], {}, 2, "name one document"],
  ["an empty file", ["empty.md", "--rules"], {}, 2, "empty"],
  ["front matter alone", ["head.md", "--rules"], {}, 2, "no text below the front matter"],
  ["front matter that can't be read", ["broken.md", "--rules"], {}, 2, "broken.md"],
  ["a text for another tool", ["mkdocs.md", "--rules"], {}, 2, "written for another tool"],
  ["a text that is too long", ["long.md"], { OPENAI_API_KEY: "k" }, 2, "the AI can read 60000"],
  ["rules and AI at once", ["a.md", "--rules", "--kind", "clarity"], {}, 2, "choose one"],
  ["an unknown kind", ["a.md", "--kind", "poetry"], {}, 2, "poetry"],
  ["no time at all", ["a.md", "--timeout", "soon"], {}, 2, "soon"],
])("%s is refused and nothing is written", async (_, args, env, code, says) => {
  const files = {
    "c.txt": "x",
    "empty.md": "\n",
    "head.md": "---\ntitle: T\n---\n",
    "broken.md": "---\ntitle: [\n---\n\nText.\n",
    "mkdocs.md": "!!! note\n    Take care.\n\n*  One\n",
    "long.md": "Close the valve. ".repeat(4000),
  };
  folder.write(files);
  const ran = await sop(["improve", ...args, "--write"], env);
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(says)]);
  expect(readdirSync(folder.path).sort()).toEqual(["a.md", ...Object.keys(files)].sort());
  for (const [name, before] of Object.entries(files)) {
    expect(readFileSync(join(folder.path, name), "utf8")).toBe(before);
  }
  expect(read()).toBe(text);
});
