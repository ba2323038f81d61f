/** `sop generate`: by AI over a provider on loopback, by templates without a key, into files, stdout and the server. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { send, startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { callSop, makeFolder, runSop, type Folder } from "./run-sop.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";
const step = (text: string) => ({ text, role: null, warning: null, verify: null, sub: [] });
const draft = {
  title: "Drain tank 4",
  description: "Empty tank 4 before it is cleaned.",
  purpose: "Nobody meets pressure.",
  scope: "Tank 4.",
  roles: [{ name: "Operator", duty: "Drains the tank" }],
  equipment: ["Key"],
  warnings: [{ level: "warning", text: "Steam burns: stand aside." }],
  sections: [{ heading: "Drain", steps: [step("Close the valve."), step("Open the drain.")] }],
  records: [{ name: "Log", place: "Office", retention: "5 years" }],
  references: [],
  assumptions: ["The tank holds water."],
  tags: ["tanks"],
};

let provider: FakeProvider;
let server: TestServer;
let editor: TestUser;
let token: string;
let folder: Folder;

beforeAll(async () => {
  [provider, server] = await Promise.all([startFakeProvider(key), startServer("sqlite")]);
  editor = await (await server.company()).user("editor");
  const body = { name: "cli", scopes: ["sops:read", "sops:write"] as ("sops:read" | "sops:write")[] };
  token = (await editor.client.tokens.create({ body })).token;
}, 60_000);
afterAll(() => Promise.all([provider.stop(), server.stop()]));
beforeEach(() => {
  folder = makeFolder();
  provider.requests.length = 0;
  provider.answer = (_, response) =>
    send(response, 200, {
      model: "small",
      choices: [{ message: { content: JSON.stringify(draft) }, finish_reason: "stop" }],
      usage: { prompt_tokens: 900, completion_tokens: 400 },
    });
});
afterEach(() => folder.remove());

const ai = () => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: provider.url, OPENAI_MODEL: "small" });
const signedIn = () => ({ SOP_SERVER: server.url, SOP_TOKEN: token });
const sop = (args: string[], env: Record<string, string> = {}) => callSop(args, { cwd: folder.path, env });
const read = (path: string) => readFileSync(join(folder.path, path), "utf8");

describe("with a key", () => {
  test("the model's draft goes to stdout outside a workspace, and what it cost and assumed is said", async () => {
    const ran = await sop(["generate", "Drain tank 4", "--owner", "ada"], ai());
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^---\ntitle: "Drain tank 4"\n/);
    expect(ran.stdout).toContain('owner: "ada"\n');
    expect(ran.stdout).toContain("ai_generated: true\n");
    expect(ran.stdout).toContain("1. Close the valve.\n2. Open the drain.\n");
    expect(ran.stderr).toContain("By small (900 + 400 tokens): an unchecked draft.");
    expect(ran.stderr).toContain("to confirm: The tank holds water.");
    expect(provider.requests).toHaveLength(1);
  });

  test("into a workspace it goes where its category says, and never over a file that is there", async () => {
    folder.write({ "sop.config.yaml": "schema: 1\n" });
    for (const path of ["sops/wet-rooms/drain-tank-4.md", "sops/wet-rooms/drain-tank-4-2.md"]) {
      const ran = await sop(["generate", "Drain tank 4", "--category", "Wet rooms"], ai());
      expect([ran.code, ran.stdout]).toEqual([0, `+ ${path}\n`]);
      expect(read(path)).toContain("ai_generated: true");
    }
  });

  test("the prompt may come on stdin, and --json tells everything", async () => {
    const ran = await runSop(["generate", "-", "-o", "a.md", "--json"], {
      cwd: folder.path,
      env: ai(),
      input: "Drain tank 4\n",
    });
    expect(ran.code).toBe(0);
    const { schema, ok, data } = JSON.parse(ran.stdout) as { schema: string; ok: boolean; data: object };
    expect([schema, ok]).toEqual(["sop.generate/1", true]);
    expect(data).toMatchObject({
      path: "a.md",
      title: "Drain tank 4",
      source: { kind: "ai", made: { model: "small", prompt: "generate-sop@1", calls: 1 } },
      assumptions: ["The tank holds water."],
    });
    expect(existsSync(join(folder.path, "a.md"))).toBe(true);
  });

  test("on the server it is a draft that says who made it", async () => {
    const ran = await sop(["generate", "Drain tank 4", "--save", "--json"], { ...ai(), ...signedIn() });
    expect(ran.code).toBe(0);
    const { data } = JSON.parse(ran.stdout) as { data: { sop: { id: string } } };
    expect(await editor.client.sops.get({ params: { id: data.sop.id } })).toMatchObject({
      title: "Drain tank 4",
      status: "draft",
      isAiGenerated: true,
      tags: ["tanks"],
    });
  });

  test.each([
    [401, 4, "rejected the key"],
    [500, 5, "Can't reach the AI provider"],
    [429, 5, "provider is busy"],
  ])(
    "a provider that answers %i ends it with %i, writes nothing, and shows no piece of the key",
    async (status, code, text) => {
      provider.answer = (request, response) =>
        send(response, status, { error: { message: `no: ${request.headers.authorization}` } });
      const ran = await sop(["generate", "Drain tank 4", "-o", "a.md"], ai());
      expect(ran.code).toBe(code);
      expect(ran.stderr).toContain(text);
      expect(ran.stdout + ran.stderr).not.toContain(key.slice(8, 16));
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );

  test("a provider that hangs is waited for as long as was said", async () => {
    provider.answer = () => undefined;
    const ran = await sop(["generate", "Drain tank 4", "--timeout", "1"], ai());
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("took too long")]);
  });

  test("^C ends the waiting, with nothing half written", async () => {
    let kill = (_signal: NodeJS.Signals) => {};
    provider.answer = () => kill("SIGINT");
    const ran = await runSop(["generate", "Drain tank 4", "-o", "a.md"], {
      cwd: folder.path,
      env: ai(),
      started: (stop) => (kill = stop),
    });
    expect(ran.code).toBe(130);
    expect(existsSync(join(folder.path, "a.md"))).toBe(false);
  });
});

describe("without a key", () => {
  test("the template with most of the words is taken, and it says so", async () => {
    const ran = await sop(["generate", "Write an SOP for locking out a machine before maintenance."]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^---\ntitle: "Locking out a machine before maintenance"\n/);
    expect(ran.stdout).not.toContain("ai_generated: true");
    expect(ran.stdout).not.toContain("template: true");
    expect(ran.stderr).toMatch(
      /From the template lockout-tagout \(it has .*machine.*\), without AI\. To use AI, set OPENAI_API_KEY/,
    );
  });

  test("words that no template has get the plain one; --template and --no-ai choose it with a key too", async () => {
    expect((await sop(["generate", "Xyzzy qwerty"])).stderr).toContain(
      "From the template standard (no other fits), without AI.",
    );
    expect((await sop(["generate", "Xyzzy", "--template", "lockout-tagout"], ai())).stderr).toContain("lockout-tagout");
    expect((await sop(["generate", "Reset a password", "--no-ai"], ai())).stderr).toContain("password-reset");
    expect(provider.requests).toEqual([]);
  });

  test.each([
    ["Reset a password for a locked-out employee", "password-reset"],
    ["Pay a supplier's invoice", "invoice-approval"],
    ["Back up the database", "backup-and-restore-test"],
    ["Check the temperature of the fridge", "kitchen-opening-checks"],
    ["Grant access to a system", "access-request-and-review"],
    ["Offboard an employee", "employee-offboarding"],
    // words of a description alone don't choose one either
    ["Hand over a night shift", "standard"],
    ["Wash hands", "standard"],
    // frequent words alone don't choose a template
    ["How to clean the coffee machine every evening", "standard"],
    ["Drain and clean tank 4", "standard"],
    ["Work on a tank", "standard"],
  ])("%s: %s", async (prompt, template) => {
    expect((await sop(["generate", prompt])).stderr).toMatch(new RegExp(`^From the template ${template}[, ]`));
  });

  test("says when a template has no text in a language", async () => {
    const says = async (lang: string) => (await sop(["generate", "Reset a password", "--lang", lang])).stderr;
    expect(await says("de")).toContain('It is in "en", not in "de"');
    expect(await says("en-GB")).not.toContain("It is in");
  });

  test("a template that a pull put into the folder of its category is found", async () => {
    const template = '---\nsop: "SOP-0020"\ntitle: "Hand over the shift"\ndescription: "From person to person."\n';
    folder.write({
      "sop.config.yaml": "schema: 1\n",
      "templates/production/sop-0020-hand-over-the-shift.md": `${template}template: true\n---\n\n## Our agenda\n\nText.\n`,
    });
    const ran = await sop(["generate", "Hand over a night shift"]);
    expect(ran.stderr).toContain(
      "From the template production/sop-0020-hand-over-the-shift (it has hand, over, shift)",
    );
    expect(read("sops/uncategorized/hand-over-a-night-shift.md")).toMatch(/^(?![^]*SOP-0020)[^]*## Our agenda/);
    const named = ["new", "Day shift", "--template", "production/sop-0020-hand-over-the-shift"];
    expect((await sop(named)).code).toBe(0);
  });

  test("a template of the workspace goes before the library's", async () => {
    folder.write({
      "sop.config.yaml": "schema: 1\n",
      "templates/tank.md":
        '---\ntitle: "Tank work"\ndescription: "Tanks."\ntemplate: true\n---\n\n## Our own way\n\nText.\n',
    });
    const ran = await sop(["generate", "Work on a tank"]);
    expect(ran.stderr).toContain("From the template tank");
    expect(read("sops/uncategorized/work-on-a-tank.md")).toContain("## Our own way");
  });
});

test.each<[string, string[], Record<string, string>, number, string]>([
  ["an empty prompt", ["  "], {}, 2, "describe what the SOP is about"],
  ["a prompt that is too long", ["x".repeat(2001)], {}, 2, "at most 2000 characters, this one has 2001"],
  ["an unknown template", ["x", "--template", "lockout-tagut"], {}, 2, "template lockout-tagut not found"],
  ["two places", ["x", "--save", "-o", "a.md"], {}, 2, "can't be combined"],
  ["a file that is there", ["x", "-o", "there.md"], {}, 2, "there.md exists"],
  ["a server without a token", ["x", "--save"], { SOP_SERVER: "http://127.0.0.1:9" }, 4, "not signed in"],
  [
    "a key that would travel in the clear",
    ["x"],
    { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://ai.example" },
    2,
    "https, or http on this machine",
  ],
  [
    "an address that is none",
    ["x"],
    { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "nowhere" },
    2,
    "https, or http on this machine",
  ],
  ["a language that is none", ["x", "--lang", "<script>"], {}, 2, "a tag such as en or de-AT"],
  ["a key with a line in it", ["x"], { OPENAI_API_KEY: "sk-a\nb" }, 2, "OPENAI_API_KEY isn't a valid key"],
  ["no time", ["x", "--timeout", "0"], {}, 2, "from 1 to 86400"],
  ["more time than timers know", ["x", "--timeout", "999999999"], {}, 2, "from 1 to 86400"],
  ["no time at all", ["x", "--timeout", "soon"], {}, 2, "soon"],
])("%s is refused and nothing is written", async (_, args, env, code, text) => {
  folder.write({ "there.md": "mine" });
  const ran = await sop(["generate", ...args], env);
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(text)]);
  expect(readdirSync(folder.path)).toEqual(["there.md"]);
  expect(read("there.md")).toBe("mine");
});

test("a category that the server does not have is named with those it has", async () => {
  const ran = await sop(["generate", "Reset a password", "--save", "--category", "Nope"], { ...ai(), ...signedIn() });
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("category Nope not found")]);
  expect(provider.requests).toEqual([]);
});
