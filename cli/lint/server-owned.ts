/** The server's last values for documents of a workspace: number, id and version, which writers must not change. */
import type { ServerOwned } from "#core/lint/rule.ts";
import { CliError } from "../exit.ts";
import type { Target } from "./targets.ts";

export type BaseOf = (target: Target) => ServerOwned | undefined;

export async function readServerOwned(
  targets: readonly Target[],
  showWarning: (text: string) => void,
): Promise<BaseOf | undefined> {
  const roots = new Set(targets.filter(({ root }) => root.kind === "workspace").map(({ root }) => root.folder));
  const byRoot = new Map<string, Map<string, ServerOwned>>();
  for (const root of roots) {
    const { loadState } = await import("../workspace/state.ts");
    const state = await loadState(root).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      // `sop status` says what is wrong with it; documents can be checked without.
      showWarning(error.problem.message);
      return null;
    });
    if (state === null) continue;
    const sops = Object.entries(state.sops);
    byRoot.set(root, new Map(sops.map(([id, { path, number, version }]) => [path, { sop: number, id, version }])));
  }
  return byRoot.size === 0 ? undefined : ({ root, path }) => byRoot.get(root.folder)?.get(path);
}
