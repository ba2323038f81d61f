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
import { baseVersionOf } from "./base-version.ts";
import type { RemoteSop } from "./remote.ts";
import type { WorkspaceState } from "./state.ts";

/** Findings of severity error, by the configuration of each file's folder. */
export async function findErrors(
  context: Context,
  documents: readonly LocalDocument[],
  state: WorkspaceState,
  remoteSops: ReadonlyMap<string, RemoteSop>,
): Promise<Problem[]> {
  const configOf = createConfigFinder(context.flags.config && resolve(context.cwd, context.flags.config));
  const problems: Problem[] = [];
  for (const document of documents) {
    context.signal.throwIfAborted();
    const { path, file, text, id } = document;
    const config = await configOf(file);
    const remoteSop = id === null ? undefined : remoteSops.get(id);
    const version = remoteSop && id !== null ? baseVersionOf(document, state.sops[id], remoteSop) : null;
    const base = remoteSop && { sop: remoteSop.number, id: remoteSop.id, ...(version !== null && { version }) };
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
