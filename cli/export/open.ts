/** Opens the source of an export: a folder or the server. */
import { relative, resolve } from "node:path";
import { invalidInputError } from "../exit.ts";
import { filterFlags, serverFiltersOf, type StatusFilter } from "../list-filters.ts";
import { connectSignedIn, findConnection } from "../server.ts";
import { findWorkspaceAbove } from "../workspace/find.ts";
import { countUnpublished } from "./read.ts";
import { openServerSource } from "./from-server.ts";
import type { DocumentSource } from "./source.ts";
import type { CommandContext } from "../context.ts";

export interface ExportSourceOptions extends StatusFilter {
  drafts?: boolean;
  fromDir?: string;
  fonts?: string;
  rev?: number;
}

/**
 * Opens the source of an export: the folder of `--from-dir`, or else the workspace around the working folder if the
 * user is signed out and names no server, or else the server.
 */
export async function openSource(
  context: CommandContext,
  ids: readonly string[],
  options: ExportSourceOptions,
): Promise<DocumentSource> {
  const folder = options.fromDir ?? (await findWorkspaceIfSignedOut(context));
  if (folder === null) {
    if (options.fonts !== undefined) {
      throw invalidInputError("usage", "--fonts is for files: a server has its own fonts", {
        hint: "add --from-dir <dir>",
      });
    }
    const signedIn = await connectSignedIn(context);
    const { drafts = false, rev, status } = options;
    const filters = serverFiltersOf(options);
    // Drafts are exported only on request.
    const isAsked = drafts || rev !== undefined || status !== undefined;
    const { progress } = context.out;
    if (!isAsked && ids.length === 0) {
      const left = await countUnpublished({ ...signedIn, progress }, filters);
      if (left > 0) context.out.note(`${left} SOP${left === 1 ? " has" : "s have"} no published version: add --drafts`);
    }
    return await openServerSource(signedIn, {
      ids,
      filters: isAsked ? filters : { ...filters, view: "published" },
      ...(options.rev !== undefined && { version: options.rev }),
      progress,
      note: context.out.note,
    });
  }
  for (const [flag, value] of [
    ["--rev", options.rev],
    ["--drafts", options.drafts],
    ...filterFlags.map((name) => [`--${name}`, options[name]] as const),
  ] as const) {
    if (value === undefined) continue;
    throw invalidInputError("usage", `${flag} asks the server: a folder has no versions or status`, {
      hint: options.fromDir === undefined ? "sop login" : "leave out --from-dir",
    });
  }
  const { openFolderSource } = await import("./from-folder.ts");
  const { fontFolder } = await import("../fonts/folder.ts");
  const named = options.fonts === undefined ? [] : [resolve(context.cwd, options.fonts)];
  return await openFolderSource(context, folder, ids, [...named, fontFolder(context.env)]);
}

/**
 * Returns the workspace around the working folder if the user is signed out and names no server; otherwise null. Prints
 * a note that the files of the workspace are exported.
 */
async function findWorkspaceIfSignedOut(context: CommandContext): Promise<string | null> {
  const root = findWorkspaceAbove(context.cwd);
  if (root === null || context.flags.server !== undefined || context.flags.profile !== undefined) return null;
  const { token } = await findConnection(context);
  if (token !== null || context.env["SOP_SERVER"]) return null;
  const shown = relative(context.cwd, root) || ".";
  context.out.note(`Not signed in: exporting the files of this workspace (${shown}), as drafts`);
  return root;
}
