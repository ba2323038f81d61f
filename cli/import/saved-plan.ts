/** `--plan-out` saves a plan. `--apply` carries it out exactly or not at all. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { importOutcomes } from "#core/sops/import-schema.ts";
import { invalidInputError } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import type { ImportCandidate } from "./examine.ts";
import type { PlanRow } from "./plan.ts";

const SavedPlan = z.object({
  schema: z.literal("sop.import-plan/1"),
  importId: z.uuid(),
  target: z.string(),
  sources: z.array(z.string()),
  options: z.record(z.string(), z.unknown()),
  documents: z.array(
    z.object({
      path: z.string(),
      sha256: z.string().optional(),
      outcome: z.enum(importOutcomes),
      version: z.int().optional(),
    }),
  ),
});
export type SavedPlan = z.output<typeof SavedPlan>;

export async function savePlan(
  file: string,
  plan: Omit<SavedPlan, "schema" | "documents">,
  rows: readonly PlanRow[],
  candidates: readonly ImportCandidate[],
): Promise<void> {
  const hashes = new Map(candidates.map(({ path, sha256 }) => [path, sha256]));
  const documents = rows.map(({ path, outcome, version }) => {
    const sha256 = hashes.get(path);
    return { path, outcome, ...(sha256 !== undefined && { sha256 }), ...(version !== undefined && { version }) };
  });
  const saved: SavedPlan = { schema: "sop.import-plan/1", ...plan, documents };
  await writeFileAtomically(file, `${JSON.stringify(saved, null, 2)}\n`);
}

/** @throws exit 2 if the file isn't a plan */
export async function readPlan(name: string, cwd: string): Promise<SavedPlan> {
  const text = await readFile(resolve(cwd, name), "utf8");
  try {
    return SavedPlan.parse(JSON.parse(text));
  } catch {
    throw invalidInputError("not_a_plan", `${name}: not a plan of sop import --plan-out`, { path: name });
  }
}

/** @throws exit 2 if files or SOPs changed since the plan was made */
export function assertPlanMatches(
  plan: SavedPlan,
  rows: readonly PlanRow[],
  candidates: readonly ImportCandidate[],
): void {
  const hashes = new Map(candidates.map(({ path, sha256 }) => [path, sha256]));
  const planned = new Map(plan.documents.map((document) => [document.path, document]));
  const changed = rows.find((row) => {
    const before = planned.get(row.path);
    return before?.outcome !== row.outcome || before.version !== row.version || before.sha256 !== hashes.get(row.path);
  });
  const now = new Set(rows.map(({ path }) => path));
  const missing = plan.documents.find(({ path }) => !now.has(path));
  if (changed === undefined && missing === undefined) return;
  const path = changed?.path ?? missing?.path ?? "";
  throw invalidInputError(
    "stale_plan",
    `the plan is stale: ${path} changed after the plan was made; nothing was written`,
    {
      hint: "create and review a new plan with --dry-run --plan-out",
    },
  );
}
