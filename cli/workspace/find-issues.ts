/** Lints the documents to push. A draft can have issues; they only block publishing. */
import { resolve } from "node:path";
import { lintText } from "#core/lint/engine.ts";
import type { Finding } from "#core/lint/finding.ts";
import { createConfigFinder } from "../lint/config.ts";
import type { CommandContext } from "../context.ts";
import type { Problem } from "../exit.ts";
import type { LocalDocument } from "./documents.ts";
import { baseVersionOf } from "./base-version.ts";
import type { RemoteSop } from "./remote.ts";
import type { WorkspaceState } from "./state.ts";

export interface PushIssues {
  /** Findings of severity error. */
  blocking: Problem[];
  /**
   * Messages by path about changed lines that only the server may set, such as `id`. The file's SOP is then unclear.
   */
  altered: Map<string, string>;
}

/** Lints each file with the configuration of its folder. */
export async function findPushIssues(
  context: CommandContext,
  documents: readonly LocalDocument[],
  state: WorkspaceState,
  remoteSops: ReadonlyMap<string, RemoteSop>,
): Promise<PushIssues> {
  const configOf = createConfigFinder(context.flags.config && resolve(context.cwd, context.flags.config));
  const issues: PushIssues = { blocking: [], altered: new Map() };
  for (const document of documents) {
    context.signal.throwIfAborted();
    const { path, file, text, id } = document;
    const config = await configOf(file);
    const remoteSop = id === null ? undefined : remoteSops.get(id);
    const version = remoteSop && id !== null ? baseVersionOf(document, state.sops[id], remoteSop) : null;
    const base = remoteSop && { sop: remoteSop.number, id: remoteSop.id, ...(version !== null && { version }) };
    const findings = lintText(text, { path, ...config, ...(base && { base }) });
    for (const finding of findings.filter(({ severity }) => severity === "error")) {
      if (finding.rule === "meta/server-owned") issues.altered.set(path, finding.message);
      else issues.blocking.push(findingAsProblem(path, finding));
    }
  }
  return issues;
}

function findingAsProblem(path: string, { rule, message, line }: Finding): Problem {
  return { code: rule, message: `${path}:${line}: ${message} (${rule})`, path, line };
}
