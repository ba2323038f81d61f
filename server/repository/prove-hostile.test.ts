/** `sop verify` and `verify.py` run no program of the clone, repository or bundle that they check, and end. */
import { execFile, execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pdfAttachments } from "../../cli/workspace/pdf-attachments.ts";
import { createRepositories } from "./repositories.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { nativeGit, scratchFolder } from "./testing/scratch.ts";

const root = path.resolve(import.meta.dirname, "../..");
const tools: readonly (readonly string[])[] = [
  ["python3", path.join(root, "verify.py")],
  [process.execPath, path.join(root, "cli/main.ts"), "verify"],
];

function verify([program, ...before]: readonly string[], ...args: string[]): Promise<{ code: number; told: string }> {
  return new Promise((resolve) => {
    const options = { timeout: 60_000 };
    execFile(program ?? "", [...before, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, told: stdout + stderr }),
    );
  });
}

async function bareRepository(): Promise<string> {
  const { ledger, companyId } = goldenStory();
  const repositories = createRepositories({ dir: scratchFolder(), ledger, log: silentLog, git: null });
  await repositories.drain(companyId);
  await repositories.close();
  return repositories.path(companyId);
}

interface Place {
  /** What is checked. */
  at: string;
  gitdir: string;
  /** Leaves a mark when it runs. */
  evil: string;
}

/** One more setting of the folder that names a program. */
type Trap = (place: Place) => void;

const config =
  (text: (evil: string) => string): Trap =>
  ({ gitdir, evil }) =>
    appendFileSync(path.join(gitdir, "config"), `${text(evil)}\n`);

const attribute =
  (line: string): Trap =>
  ({ gitdir }) => {
    mkdirSync(path.join(gitdir, "info"), { recursive: true });
    appendFileSync(path.join(gitdir, "info/attributes"), `${line}\n`);
  };

const filter = (evil: string) =>
  `[filter "x"]\n clean = ${evil}\n smudge = ${evil}\n process = ${evil}\n required = true`;

const included =
  (section: string): Trap =>
  ({ gitdir, evil }) => {
    writeFileSync(path.join(gitdir, "more"), filter(evil));
    appendFileSync(path.join(gitdir, "config"), `[${section}]\n path = more\n`);
    attribute("* filter=x")({ at: "", gitdir, evil });
  };

const hooks = ["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"];

const traps: Record<string, Trap> = {
  "a filter": (place) => {
    config(filter)(place);
    attribute("* filter=x")(place);
  },
  "a filter of an included file": included("include"),
  "a filter of a file included for a folder": included('includeIf "gitdir:/**"'),
  "a file monitor": config((evil) => `[core]\n fsmonitor = ${evil}`),
  "a promisor with an upload-pack": config(
    (evil) => `[extensions]\n partialClone = origin\n[remote "origin"]\n promisor = true\n uploadpack = ${evil}`,
  ),
  "a promisor by ssh": config(
    (evil) =>
      `[core]\n repositoryformatversion = 1\n sshCommand = ${evil}\n[extensions]\n partialClone = o\n[remote "o"]\n promisor = true\n url = ssh://127.0.0.1:1/x`,
  ),
  "a promisor by a program": config(
    (evil) =>
      `[protocol]\n allow = always\n[extensions]\n partialClone = e\n[remote "e"]\n promisor = true\n url = ext::${evil}`,
  ),
  "hooks elsewhere": config((evil) => `[core]\n hooksPath = ${path.dirname(evil)}`),
  "hooks inside": ({ gitdir, evil }) => {
    mkdirSync(path.join(gitdir, "hooks"), { recursive: true });
    for (const hook of hooks) cpSync(evil, path.join(gitdir, "hooks", hook));
  },
  "a text converter": (place) => {
    config((evil) => `[diff]\n external = ${evil}\n[diff "x"]\n textconv = ${evil}\n command = ${evil}`)(place);
    attribute("* diff=x")(place);
  },
  "programs of signatures, pages and passwords": config(
    (evil) =>
      `[log]\n showSignature = true\n[gpg]\n program = ${evil}\n[core]\n pager = ${evil}\n editor = ${evil}\n askPass = ${evil}\n gitProxy = ${evil}\n[pager]\n rev-list = ${evil}\n[credential]\n helper = ${evil}`,
  ),
  "programs of transfers": config(
    (evil) =>
      `[uploadpack]\n packObjectsHook = ${evil}\n[core]\n alternateRefsCommand = ${evil}\n[safe]\n directory = *`,
  ),
  "a program called git beside the files": ({ at, evil }) => {
    for (const folder of [at, path.join(at, "sops")]) if (existsSync(folder)) cpSync(evil, path.join(folder, "git"));
  },
  "a missing object": ({ gitdir }) => {
    const packs = path.join(gitdir, "objects/pack");
    for (const name of existsSync(packs) ? readdirSync(packs) : []) {
      if (!name.endsWith(".pack")) continue;
      const aside = path.join(scratchFolder(), name);
      renameSync(path.join(packs, name), aside);
      execFileSync("sh", [
        "-c",
        'git init -q --bare "$0/x" && git --git-dir="$0/x" unpack-objects -q < "$1"',
        path.dirname(aside),
        aside,
      ]);
      cpSync(path.join(path.dirname(aside), "x/objects"), path.join(gitdir, "objects"), { recursive: true });
      rmSync(packs, { recursive: true });
    }
    const [folder = ""] = readdirSync(path.join(gitdir, "objects")).filter((name) => /^[0-9a-f]{2}$/.test(name));
    rmSync(path.join(gitdir, "objects", folder), { recursive: true, force: true });
  },
};

async function placeOf(kind: "clone" | "repository"): Promise<Place & { ran: () => boolean }> {
  const bare = await bareRepository();
  const folder = scratchFolder();
  nativeGit(folder, "clone", "-q", ...(kind === "clone" ? [] : ["--mirror"]), bare, "place");
  const at = path.join(folder, "place");
  const tool = scratchFolder();
  const [evil, mark] = [path.join(tool, "evil"), path.join(tool, "ran")];
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`);
  chmodSync(evil, 0o755);
  for (const hook of hooks) cpSync(evil, path.join(tool, hook));
  return { at, gitdir: kind === "clone" ? path.join(at, ".git") : at, evil, ran: () => existsSync(mark) };
}

/** Git then reads each file again, to see whether it changed. */
function touchFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(path.join(entry.parentPath, entry.name), 1, 1);
}

describe("a folder of another person", () => {
  it.each(["clone", "repository"] as const)("runs none of its programs: a %s", { timeout: 300_000 }, async (kind) => {
    const names = fc.subarray(Object.keys(traps), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom(...tools), async (chosen, tool) => {
        const place = await placeOf(kind);
        for (const name of chosen) traps[name]?.(place);
        touchFiles(place.at);
        const { code, told } = await verify(tool, place.at);
        expect([place.ran(), told.includes("Traceback")]).toEqual([false, false]);
        expect([0, 1, 2]).toContain(code);
        if (!chosen.includes("a missing object")) expect([code, told]).toEqual([0, expect.anything()]);
      }),
      {
        numRuns: 8,
        examples: [
          [Object.keys(traps), tools[0] ?? []],
          [Object.keys(traps), tools[1] ?? []],
        ],
      },
    );
  });

  it.each(tools.map((tool) => ({ tool })))(
    "doesn't take a repository beside a bundle for the bundle: $tool",
    async ({ tool }) => {
      const bare = await bareRepository();
      const place = await placeOf("repository");
      for (const trap of Object.values(traps)) trap(place);
      const bundle = path.join(scratchFolder(), "all");
      nativeGit(bare, "bundle", "create", "-q", bundle, "--all");
      for (const name of ["all.git", "all.bundle"])
        cpSync(place.at, path.join(path.dirname(bundle), name), { recursive: true });
      expect(await verify(tool, bundle)).toMatchObject({ code: 0 });
      expect(place.ran()).toBe(false);
    },
  );

  const refused: Record<string, Trap> = {
    "other objects": ({ gitdir }) => writeFileSync(path.join(gitdir, "objects/info/alternates"), "/nowhere\n"),
    "a pipe among its objects": ({ gitdir }) => execFileSync("mkfifo", [path.join(gitdir, "objects/pack/pack-1.idx")]),
    "a pipe among its refs": ({ gitdir }) => execFileSync("mkfifo", [path.join(gitdir, "refs/heads/x")]),
    "a link for its refs": ({ gitdir }) => symlinkSync("/etc/passwd", path.join(gitdir, "refs/heads/x")),
    "a linked work tree": ({ at, gitdir }) => {
      rmSync(gitdir, { recursive: true });
      writeFileSync(path.join(at, ".git"), "gitdir: /nowhere\n");
    },
    "a filtered clone": ({ gitdir }) => writeFileSync(path.join(gitdir, "objects/pack/pack-1.promisor"), ""),
  };

  it.each(Object.keys(refused))("can't be checked with %s, and both say the same", async (name) => {
    const place = await placeOf("clone");
    refused[name]?.(place);
    const [one, other] = await Promise.all(tools.map((tool) => verify(tool, place.at)));
    expect([one?.code, other?.code]).toEqual([2, 2]);
    const [, why = "nothing"] = /^can't be checked: (.*)$/m.exec(one?.told ?? "") ?? [];
    expect(other?.told).toContain(why);
  });

  it(
    "differs where a file is a link or a pipe, and not where its lines end as on Windows",
    { timeout: 60_000 },
    async () => {
      const place = await placeOf("clone");
      const file = path.join(place.at, "README.md");
      const text = nativeGit(place.at, "show", "HEAD:README.md");
      const answers = async () => await Promise.all(tools.map(async (tool) => await verify(tool, place.at)));
      writeFileSync(file, text.replaceAll("\n", "\r\n"));
      for (const { code } of await answers()) expect(code).toBe(0);
      const same = path.join(scratchFolder(), "same");
      writeFileSync(same, text);
      const others = [
        () => symlinkSync(same, file),
        () => execFileSync("mkfifo", [file]),
        () => mkdirSync(file),
        () => {},
      ];
      for (const put of others) {
        rmSync(file, { recursive: true });
        put();
        for (const { code, told } of await answers())
          expect([code, told]).toEqual([1, expect.stringContaining("files differ from their commit: README.md")]);
        if (!existsSync(file)) break;
      }
    },
  );

  it("ends at nested folders that stand for billions of files", { timeout: 60_000 }, async () => {
    const place = await placeOf("repository");
    const made = (input: string) => {
      const file = path.join(scratchFolder(), "tree");
      writeFileSync(file, input);
      return execFileSync("sh", ["-c", 'git --git-dir="$0" mktree < "$1"', place.at, file], {
        encoding: "utf8",
      }).trim();
    };
    let tree = made("");
    for (let depth = 0; depth < 30; depth += 1)
      tree = made(["a", "b", "c", "d"].map((name) => `040000 tree ${tree}\t${name}\n`).join(""));
    const message = nativeGit(place.at, "log", "-1", "--format=%B", "history").trimEnd();
    const server = ["-c", "user.name=SOP Server", "-c", "user.email=server@sop.invalid"];
    const commit = nativeGit(place.at, ...server, "commit-tree", tree, "-p", "history~1", "-m", message).trim();
    nativeGit(place.at, "update-ref", "refs/heads/history", commit);
    for (const tool of tools) expect(await verify(tool, place.at)).toMatchObject({ code: 1 });
  });
});

/** A PDF in the server's form whose one attached file unpacks to many bytes. */
function bomb(unpacked: number, times: number): Buffer {
  const packed = deflateSync(Buffer.alloc(unpacked), { level: 9 });
  const names = Array.from({ length: times }, (_, at) => `(f${at}) 2 0 R`).join(" ");
  const objects = [
    `<<\n/EmbeddedFiles <<\n/Names [${names}]\n>>\n>>`,
    "<<\n/EF <<\n/F 3 0 R\n>>\n>>",
    `<<\n/Filter /FlateDecode\n/Length ${packed.length}\n>>\nstream\n${packed.toString("latin1")}\nendstream`,
  ];
  let text = "%PDF-1.7\n";
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 4\n0000000000 65535 f \n${rows}trailer\n<<\n/Root 1 0 R\n>>\nstartxref\n${text.length}\n%%EOF`;
  return Buffer.from(text + table, "latin1");
}

describe("a PDF of another person", () => {
  it.each([
    ["one file of a GB", 1 << 30, 1],
    ["one file, attached a thousand times", 1 << 20, 1_000],
  ])("takes little memory: %s", { timeout: 60_000 }, async (_, unpacked, times) => {
    const file = path.join(scratchFolder(), "bomb.pdf");
    writeFileSync(file, bomb(unpacked, times));
    // maxRSS of a child begins with that of the process that started it
    const script = `
      import { readFileSync } from "node:fs";
      import { main } from ${JSON.stringify(path.join(root, "cli/program.ts"))};
      const code = await main(["verify", ${JSON.stringify(file)}]);
      const [, peak] = /^VmHWM:\\s+(\\d+)/m.exec(readFileSync("/proc/self/status", "utf8"));
      console.log(JSON.stringify({ code, mb: peak / 1024 }));`;
    const told = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    const { code, mb } = JSON.parse(told.trim().split("\n").at(-1) ?? "") as { code: number; mb: number };
    expect([code, told]).toEqual([1, expect.stringContaining("its attached files are larger than those of a server")]);
    expect(mb).toBeLessThan(300);
  });

  it("reads what a server attaches", () => {
    expect(pdfAttachments(bomb(1_000, 3)).map(({ content }) => content.length)).toEqual([1_000, 1_000, 1_000]);
  });
});
