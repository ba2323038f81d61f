import { alignedColumns } from "../columns.ts";
import { exit } from "../exit.ts";
import { problemsOfUnreadableSops } from "../left-out-sops.ts";
import { readDocuments } from "../workspace/documents.ts";
import { findWorkspace } from "../workspace/find.ts";
import { connectWorkspace, listRemoteSops } from "../workspace/remote.ts";
import { loadState } from "../workspace/state.ts";
import { localStates, documentStatusesOf, remoteStates, type DocumentStatus } from "../workspace/status.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface WorkspaceStatusOptions {
  short?: boolean;
  remote?: boolean;
}

export async function showStatus(context: CommandContext, options: WorkspaceStatusOptions): Promise<CommandResult> {
  const root = findWorkspace(context);
  const state = await loadState(root);
  const { documents, unreadable } = await readDocuments(root, context.signal);
  const remote = options.remote
    ? await listRemoteSops(
        await connectWorkspace(context, state),
        [...Object.keys(state?.sops ?? {}), ...documents.flatMap(({ id }) => id ?? [])],
        (text) => context.out.progress(`asking the server: ${text}`),
      )
    : null;
  const rows = documentStatusesOf(root, documents, state, remote);
  const data = { root, server: state?.server ?? null, documents: rows };
  const changed = rows.filter(({ local, remote: side = "same" }) => local !== "unchanged" || side !== "same");
  const text = options.short
    ? shortStatusText(changed)
    : longStatusText(changed, rows.length, state?.server ?? null, remote !== null);
  const errors = [...unreadable, ...problemsOfUnreadableSops(remote?.unreadable ?? 0)];
  return { exit: errors.length > 0 ? exit.partly : exit.done, data, text, errors };
}

/**
 * Returns two letters and a path per document, for scripts. The first letter is the change in the workspace, the second
 * the change on the server.
 */
function shortStatusText(rows: readonly DocumentStatus[]): string {
  return rows
    .map(({ local, remote = "same", path }) => `${localStates[local][0]}${remoteStates[remote][0]} ${path}\n`)
    .join("");
}

function longStatusText(
  rows: readonly DocumentStatus[],
  total: number,
  server: string | null,
  isCompared: boolean,
): string {
  const where = server === null ? "Nothing was pulled or pushed from here yet." : `Workspace of ${server}.`;
  const lines = alignedColumns(
    rows.map(({ local, remote = "same", path, number, title, version, remoteVersion }) => {
      const what = [local === "unchanged" ? "" : localStates[local][1], remoteStates[remote][1]]
        .filter(Boolean)
        .join(", ");
      const versions = remote === "newer" ? ` (v${version ?? "?"} here, v${remoteVersion ?? "?"} there)` : "";
      return [path, what + versions, [number, title].filter(Boolean).join(" ")];
    }),
  );
  const same = `${total - rows.length} of ${total} ${total === 1 ? "document" : "documents"} unchanged`;
  return `${where}\n${lines}${same}${isCompared ? "" : "; --remote compares with the server"}.\n`;
}
