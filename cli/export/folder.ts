/** Writes an export as a folder with the repository's paths: complete or not at all. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { buildRequest } from "#core/contract/client.ts";
import { routes } from "#core/contract/routes.ts";
import { assetPath, sopPath } from "#core/repository/names.ts";
import { CliError, exit } from "../exit.ts";
import { writeFileWhole } from "../files.ts";
import { numberOf, readDocument, type ExportRow, type ExportSource } from "./read.ts";

/** Requests under way at the same time. */
const lanes = 4;

/** @returns the paths written, relative to `target` */
export async function writeFolder(source: ExportSource, rows: readonly ExportRow[], target: string): Promise<string[]> {
  const isThere = (await readdir(target).catch(() => null)) !== null;
  // Beside a folder that is still to be, inside one that is there: either way a rename away.
  const staging = join(
    isThere ? target : dirname(target),
    `.${basename(target)}.${randomUUID().slice(0, 8)}.sop-export`,
  );
  try {
    await mkdir(staging, { recursive: true });
    const written = await fill(source, rows, staging);
    if (isThere) await moveInto(staging, target, written);
    else await rename(staging, target);
    return written;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function fill(source: ExportSource, rows: readonly ExportRow[], folder: string): Promise<string[]> {
  const slugs = new Map((await source.client.categories.list()).map(({ id, slug }) => [id, slug]));
  const written = new Set<string>();
  const queue = [...rows];
  const stopOthers = (error: unknown) => {
    queue.length = 0;
    throw error;
  };
  const lane = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      source.progress(`exporting ${rows.length - queue.length} of ${rows.length}`);
      const path = pathOf(row, slugs);
      const text = await readDocument(source, row.id);
      written.add(path);
      await writeFileWhole(inside(folder, path), text);
      for (const name of assetNames(text)) {
        if (written.has(assetPath(name))) continue;
        written.add(assetPath(name));
        await writeFileWhole(inside(folder, assetPath(name)), await source.download(assetRequest(name)));
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: lanes }, () => lane().catch(stopOthers)));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  return [...written].sort();
}

function pathOf(row: ExportRow, slugs: ReadonlyMap<string, string>): string {
  const categorySlug = row.categoryId === null ? null : (slugs.get(row.categoryId) ?? null);
  return sopPath({ ...row, number: numberOf(row), categorySlug, archived: row.status === "archived" });
}

/** Assets a document links, as the repository names them. */
function assetNames(text: string): string[] {
  return [...text.matchAll(/assets\/[0-9a-f]{2}\/([0-9a-f]{64}\.[a-z]{3,4})\b/g)].map(([, name]) => name ?? "");
}

function assetRequest(name: string) {
  return buildRequest(routes.assets.get, { params: { sha256: name } });
}

/** Names come from the server: none of them leads out of the folder. */
function inside(folder: string, path: string): string {
  const file = resolve(folder, path);
  if (file.startsWith(folder + sep)) return file;
  throw new CliError(exit.network, { code: "unexpected_answer", message: `the server names a file outside: ${path}` });
}

/** Each file is moved over its predecessor, whole. */
async function moveInto(staging: string, target: string, written: readonly string[]): Promise<void> {
  for (const path of written) {
    const file = inside(target, path);
    await mkdir(dirname(file), { recursive: true });
    await rename(inside(staging, path), file);
  }
}
