/** Lists the documents in the folders of a workspace. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isId } from "#core/ids.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { exportedSopIdOf } from "#core/sops/exported-keys.ts";
import type { Problem } from "../exit.ts";
import { readSourceText } from "../read-source.ts";
import type { LeftOut } from "../left-out.ts";
import { findMarkdown, type WalkResult, type WalkedFile } from "../walk.ts";

/**
 * The folders of documents, each with a folder per category: `sops/<category>/…`. The server's repository has the same.
 */
export const documentFolders = ["sops", "templates", "archive"] as const;

export interface LocalDocument extends WalkedFile {
  text: string;
  sha256: string;
  /** The id in the front matter. Null if the server has not seen the document, or its front matter can't be read. */
  id: string | null;
  version: number | null;
  title: string;
  /** The reason why the front matter can't be read, with what to write. Absent if it can be read. */
  unread?: string;
  /** The id of the SOP, found in front matter that otherwise can't be read. */
  unreadId?: string;
}

export interface LocalDocuments {
  documents: LocalDocument[];
  /** Problems of files that can't be read. */
  unreadable: Problem[];
  leftOut: LeftOut[];
}

/** @param ext further file endings that count as Markdown */
export async function readDocuments(
  root: string,
  signal?: AbortSignal,
  ext?: readonly string[],
): Promise<LocalDocuments> {
  const found = await listDocuments(root, ext);
  const documents: LocalDocument[] = [];
  const unreadable: Problem[] = [...found.refused];
  for (const one of found.files) {
    signal?.throwIfAborted();
    const source = await readSourceText(one);
    if ("code" in source) unreadable.push(source);
    else documents.push({ ...one, ...source, ...documentIdentityOf(source.text, one.path) });
  }
  return { documents, unreadable, leftOut: found.leftOut };
}

/** Files directly in `templates/` are for `sop new` to copy. They aren't documents. */
export async function listDocuments(root: string, ext?: readonly string[]): Promise<Omit<WalkResult, "links">> {
  const folders = documentFolders.filter((folder) => existsSync(join(root, folder)));
  const files: WalkedFile[] = [];
  const refused: Problem[] = [];
  const leftOut: LeftOut[] = [];
  for (const folder of folders) {
    const found = await findMarkdown([folder], root, { ext, allowsNone: true });
    files.push(...found.files.filter(({ path }) => !/^templates\/[^/]*$/.test(path)));
    refused.push(...found.refused);
    leftOut.push(...found.leftOut);
  }
  return { files, refused, leftOut };
}

type DocumentIdentity = Pick<LocalDocument, "id" | "version" | "title" | "unread" | "unreadId">;

export function documentIdentityOf(text: string, path: string): DocumentIdentity {
  try {
    const { id, version = null, title = path } = readMarkdownFile(text).frontMatter;
    return { id: isId(id) ? id.toLowerCase() : null, version, title };
  } catch (error) {
    const unread = error instanceof Error ? error.message : String(error);
    const unreadId = exportedSopIdOf(text);
    return { id: null, version: null, title: path, unread, ...(unreadId !== null && { unreadId }) };
  }
}

/** Returns null if the front matter can't be read; `sop lint` says why. */
export function frontMatterOrNull(text: string): FrontMatter | null {
  try {
    return readMarkdownFile(text).frontMatter;
  } catch {
    return null;
  }
}
