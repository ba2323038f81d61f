/**
 * Stops a push of documents with errors. The server would refuse to publish them later, when fewer people can fix them.
 */
import { resolve } from "node:path";
import { lint } from "#core/lint/engine.ts";
import type { Finding } from "#core/lint/finding.ts";
import { createConfigFinder } from "../lint/config.ts";
import type { Context } from "../context.ts";
import type { Problem } from "../exit.ts";
import type { LocalDocument } from "./documents.ts";
import { madeFrom } from "./made-from.ts";
import type { RemoteSop } from "./remote.ts";
import type { WorkspaceState } from "./state.ts";

/** Findings of severity error, by the configuration of each file's folder. */
export async function findErrors(
  context: Context,
  documents: readonly LocalDocument[],
  state: WorkspaceState,
  there: ReadonlyMap<string, RemoteSop>,
): Promise<Problem[]> {
  const configOf = createConfigFinder(context.flags.config && resolve(context.cwd, context.flags.config));
  const problems: Problem[] = [];
  for (const document of documents) {
    context.signal.throwIfAborted();
    const { path, file, text, id } = document;
    const config = await configOf(file);
    const now = id === null ? undefined : there.get(id);
    const version = now && id !== null ? madeFrom(document, state.sops[id], now) : null;
    const base = now && { sop: now.number, id: now.id, ...(version !== null && { version }) };
    const findings = lint(text, { path, ...config, ...(base && { base }) });
    problems.push(
      ...findings.filter(({ severity }) => severity === "error").map((finding) => problemOf(path, finding)),
    );
  }
  return problems;
}

function problemOf(path: string, { rule, message, line }: Finding): Problem {
  return { code: rule, message: `${path}:${line}: ${message} (${rule})`, path, line };
}
