/**
 * Calls that are easy to get wrong are only in reviewed files: cryptography, chance, programs, HTML from text, browser
 * storage.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const sources = ["core", "server", "cli", "web", "bin"].flatMap((layer) =>
  readdirSync(path.join(root, layer), { recursive: true, encoding: "utf8" })
    .toSorted()
    .filter((name) => /\.(?:tsx?|js)$/.test(name) && !/\.test\.tsx?$|(?:^|\/)testing\//.test(name))
    .map((name) => path.join(layer, name)),
);
const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");

interface Use {
  file: string;
  algorithm: string;
}

/** The functions of cryptography that a text imports and uses. */
function usesIn(file: string, text: string): Use[] {
  const calls =
    /\b(?:createHash|hash|hkdfSync|createHmac|createCipheriv|createDecipheriv|scrypt|pbkdf2)\(\s*"([\w-]+)"/g;
  return [...text.matchAll(calls)].map(([, algorithm = ""]) => ({ file, algorithm }));
}

const uses = sources.flatMap((file) => usesIn(file, textOf(file)));

describe("the algorithms in use", () => {
  test("are found in every place that names them", () => {
    expect(usesIn("a", 'createHash("md5"); createCipheriv("aes-128-ecb", k)')).toEqual([
      { file: "a", algorithm: "md5" },
      { file: "a", algorithm: "aes-128-ecb" },
    ]);
    expect(uses.length).toBeGreaterThan(10);
  });

  test("are SHA-256 and AES-256-GCM; SHA-1 only where git's format is written or proved", () => {
    // `sha512sum` in CI compares the package, npm the published files
    const isPackage = (file: string) => /\/(?:terminal-package|ci-package|release)\.ts$/.test(file);
    const usual = new Set(["sha256", "aes-256-gcm"]);
    const others = uses.filter(
      ({ file, algorithm }) => !usual.has(algorithm) && !(isPackage(file) && algorithm === "sha512"),
    );
    const proving = ["cli/commands/verify.ts", "cli/workspace/checked-out.ts"];
    const isGit = (file: string) => file.startsWith("server/repository/") || proving.includes(file);
    expect(others.filter(({ file }) => !isGit(file))).toEqual([]);
    expect(new Set(others.map(({ algorithm }) => algorithm))).toEqual(new Set(["sha1"]));
  });

  test("are asked for by name, because the check can't see a name that is put together", () => {
    for (const file of sources)
      expect([file, /\bcreate(?:Hash|Hmac|Cipheriv)\(\s*[^"\s]/.test(textOf(file))]).toEqual([file, false]);
  });
});

test("Math.random decides nothing but pauses", () => {
  const random = sources.filter((file) => textOf(file).includes("Math.random"));
  expect(random).toEqual(["server/database/mongodb/transaction.ts"]);
});

test("nothing runs text as a program, in this process or in a shell", () => {
  const running = sources.filter((file) => /\beval\(|new Function\(|shell: true|"node:vm"/.test(textOf(file)));
  expect(running).toEqual([]);
  const imported = sources.flatMap((file) =>
    [...textOf(file).matchAll(/import \{([^}]*)\} from "node:child_process"/g)].flatMap(([, names = ""]) =>
      names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith("type ")),
    ),
  );
  expect([...new Set(imported)].sort()).toEqual(["execFile", "fork", "spawn", "spawnSync"]);
});

test("sop starts git and the typesetter within limits; what else it starts is the user's own choice", () => {
  const own = ["admin", "new", "serve"].map((name) => `cli/commands/${name}.ts`);
  const starters = sources.filter(
    (file) => file.startsWith("cli/") && /import \{(?! type )[^}]*\} from "node:child_process"/.test(textOf(file)),
  );
  expect(starters).toEqual([...own, "cli/fonts/fetch.ts", "cli/limited-program.ts"]);
  const threads = sources.filter(
    (file) =>
      file.startsWith("cli/") && /import \{[^}]*\bWorker\b[^}]*\} from "node:worker_threads"/.test(textOf(file)),
  );
  expect(threads).toEqual(["cli/lint/thread.ts"]);
  expect(textOf("cli/lint/thread.ts")).toContain("threadLimits.lint.megabytes");
});

describe("in the browser", () => {
  const browser = sources.filter((file) => file.startsWith("web/"));
  const using = (shape: RegExp) => browser.filter((file) => shape.test(textOf(file)));

  test("text becomes HTML in one place, that of sanitised SOPs", () => {
    const shape = /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=[^=]|insertAdjacentHTML|document\.write/;
    expect(["a.innerHTML = b", "a.innerHTML === b"].map((text) => shape.test(text))).toEqual([true, false]);
    // sanitized HTML of the server: an SOP, and the changes between two of its versions; a drawing, in its own frame
    expect(using(shape)).toEqual([
      "web/public/diagram.js",
      "web/sops/diff/DiffBlocks.tsx",
      "web/sops/view/RenderedText.tsx",
    ]);
  });

  test("choices, ticks, unsent texts and the SOP opened before joining are stored, and nothing else", () => {
    expect(using(/\blocalStorage\b/)).toEqual([
      "web/public/theme.js",
      "web/sign-in/opened-link.ts",
      "web/sops/edit/fallback-drafts.ts",
      "web/sops/steps/run-state.ts",
      "web/ui/use-stored.ts",
    ]);
    expect(using(/\bsessionStorage\b/)).toEqual(["web/routes.tsx"]);
    expect(using(/\bindexedDB\b/)).toEqual(["web/sops/edit/edit-draft.ts"]);
    expect(using(/document\.cookie|\bcaches\.|serviceWorker/)).toEqual([]);
  });

  test("messages come from other tabs of this origin, and between a page and its diagrams", () => {
    const channels = using(/\.postMessage\(|onmessage|addEventListener\("message"/);
    const diagram = ["web/public/diagram.js", "web/sops/view/Diagram.tsx"];
    expect(channels).toEqual(["web/events.ts", "web/prefetched-reads.ts", diagram[0], "web/session.tsx", diagram[1]]);
    // each end compares the sender with the other end: neither has an origin that the other could name
    expect(textOf(diagram[0] ?? "")).toContain("if (source !== window.parent) return;");
    expect(textOf(diagram[1] ?? "")).toContain("from === frame.current?.contentWindow");
    for (const file of channels.filter((name) => !diagram.includes(name))) {
      expect(textOf(file)).toContain("new BroadcastChannel(");
      expect(textOf(file)).not.toMatch(
        /(?:window|parent|opener|self|globalThis)\.(?:postMessage|onmessage|addEventListener\("message")/,
      );
    }
  });
});
