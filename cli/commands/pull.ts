import { filterOnly } from "../workspace/filter-only.ts";
import { findWorkspace } from "../workspace/find.ts";
import type { ListFilterOptions } from "../list-filters.ts";
import { connectWorkspace, fetchMatchingIds } from "../workspace/remote.ts";
import { problemsOfUnreadableSops, addLeftOutProblems } from "../left-out-sops.ts";
import { syncCommandResult } from "../workspace/rows.ts";
import { loadState } from "../workspace/state.ts";
import { pullItems } from "../workspace/pull.ts";
import { loadWorkspaceSides } from "../workspace/sides.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface PullOptions extends ListFilterOptions {
  dryRun?: boolean;
  detailedExitcode?: boolean;
  only?: string[];
  onConflict: "merge" | "mine" | "theirs";
  prune?: boolean;
}

export async function pullWorkspace(context: CommandContext, options: PullOptions): Promise<CommandResult> {
  const root = findWorkspace(context);
  const known = await loadState(root);
  const remote = await connectWorkspace(context, known);
  const state = known ?? { schema: 1, server: remote.connection.server, company: remote.company, sops: {} };
  const dryRun = options.dryRun === true;
  const showProgress = (text: string) => context.out.progress(`pulling: ${text}`);
  const { items, server } = await loadWorkspaceSides({ root, remote, state, signal: context.signal, showProgress });
  const settings = { dryRun, onConflict: options.onConflict, prune: options.prune === true };
  const wanted = await fetchMatchingIds(remote, options);
  const filtered = wanted === null ? items : items.filter(({ id }) => wanted.has(id));
  const chosen = filterOnly(filtered, options.only, { root, cwd: context.cwd });
  const { rows, stopped } = await pullItems(
    {
      root,
      remote,
      state,
      options: settings,
      isListWhole: server.unreadable === 0,
      signal: context.signal,
      showProgress,
    },
    chosen,
  );
  const detailed = options.detailedExitcode === true;
  const result = syncCommandResult(rows, { command: "Pull", dryRun, detailed, verbose: context.out.verbose, stopped });
  return addLeftOutProblems(context, result, problemsOfUnreadableSops(server.unreadable));
}
