/**
 * `npm run bench -- proof`: the figures that `docs/security-tests.md` promises. A part is a function that returns
 * figures, or tests that record them (`test/proof.ts`); parts run one after the other.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeKeys, makeLog, tamper, verifyLog } from "../test/audit-tamper.ts";
import type { ProofFigure } from "../test/proof.ts";
import { round, type Figure } from "./figure.ts";

export type ProofPart = () => Promise<readonly Figure[]>;

export const parts: Readonly<Record<string, ProofPart>> = {
  audit,
  tenancy: () => fromTests("test/tenancy"),
  roles: () => fromTests("test/role-matrix.test.ts"),
  escalation: () => fromTests("test/escalation.test.ts"),
  access: () => fromTests("test/ended-access.test.ts"),
  quotas: () => fromTests("server/users/users.test.ts"),
  resets: () => fromTests("server/sign-in/reset.test.ts"),
  canaries: () => fromTests("test/canaries.test.ts"),
  lives: () => fromTests("test/life-cycle"),
  rule: () => fromTests("test/rule"),
  search: () => fromTests("test/search"),
  suggestions: () => fromTests("test/suggestions", "server/suggestions/known-gaps.test.ts"),
  repository: () =>
    fromTests("server/repository/prove-clone.test.ts", "server/git/hostile-push.test.ts", "server/git/leaks.test.ts"),
  fuzz: () => fromTests("test/fuzz"),
  approvals: () => fromTests("server/approvals/races.test.ts"),
  injections: () => fromTests("test/ai/injections"),
  wording: () => fromTests("test/ai/golden.test.ts"),
  days: () => fromTests("test/bad-days.test.ts"),
  live: () => fromTests("test/live.test.ts", "test/journeys/live.test.ts"),
};

/** @param names of parts; empty: all */
export async function* run(names: readonly string[] = []): AsyncGenerator<Figure> {
  for (const [name, part] of Object.entries(parts)) if (names.length === 0 || names.includes(name)) yield* await part();
}

const alterations = 1_000;
const rows = 100_000;

/** Random alterations found and named correctly, and the speed of verifying a log on one core. */
export async function audit(): Promise<readonly Figure[]> {
  const { found, named, missed } = tamper(alterations, Date.now());
  for (const one of missed) console.error(`not named: ${one}`);
  const keys = makeKeys();
  const log = makeLog(rows, 256, keys);
  const started = performance.now();
  const { ok } = verifyLog(log, keys);
  const seconds = (performance.now() - started) / 1000;
  if (!ok) throw new Error("an untouched log was found altered");
  const goal = `= ${alterations}`;
  return [
    { name: "audit alterations found", value: found, unit: `of ${alterations}`, goal },
    { name: "audit alterations named", value: named, unit: `of ${alterations}`, goal },
    { name: "audit rows verified", value: round(rows / seconds), unit: "rows/s" },
  ];
}

/** A part made of tests. Runs them with the full counts. @throws when one fails */
export async function fromTests(...files: readonly string[]): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "sopwright-proof-"));
  const figures = path.join(folder, "figures.ndjson");
  try {
    const code = await vitest(["run", ...files], { SOP_PROOF: "1", SOP_PROOF_FIGURES: figures });
    if (code !== 0) throw new Error(`${files.join(", ")}: a proof failed`);
    const text = await readFile(figures, "utf8");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as ProofFigure);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function vitest(args: readonly string[], env: Record<string, string>): Promise<number | null> {
  const root = path.join(import.meta.dirname, "..");
  const program = path.join(root, "node_modules", "vitest", "vitest.mjs");
  return new Promise((resolve, reject) => {
    // stdout is for the figures only
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", process.stderr, "inherit"],
    });
    child.once("error", reject);
    child.once("exit", resolve);
  });
}
