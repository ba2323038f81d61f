/**
 * Serves images and PDFs of a workspace by the hash of their bytes, as the server does, because the renderer shows no
 * others.
 */
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { sha256Of } from "../hashing.ts";
import { imageSizeProblem } from "#core/assets/image-limits.ts";
import { limits } from "#core/limits.ts";
import { assetPath } from "#core/repository/names.ts";
import { isInsideFolder, pathWithin } from "../workspace.ts";

const contentTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
};

export interface ServedImage {
  type: string;
  bytes: Buffer;
}

export interface ServedImages {
  /**
   * Returns the address of an image or PDF in the preview; null for other files, and for files that the server would
   * refuse.
   */
  addressOf(file: string): Promise<string | null>;
  /** Reads an image or PDF by its name `<sha256>.<ext>`; null if the workspace lacks it. */
  read(name: string): Promise<ServedImage | null>;
}

export function createServedImages(root: string): ServedImages {
  const known = new Map<string, string>();
  return {
    async addressOf(file) {
      const extension = extname(file).slice(1).toLowerCase();
      const bytes = Object.hasOwn(contentTypes, extension) ? await readWorkspaceFile(root, file) : null;
      // The server would refuse such an image, so the preview doesn't show it.
      if (bytes === null || imageSizeProblem(bytes) !== null) return null;
      const name = `${sha256Of(bytes)}.${extension}`;
      known.set(name, file);
      return `/api/assets/${name}`;
    },
    async read(name) {
      const extension = /^[0-9a-f]{64}\.([a-z]{3,4})$/.exec(name)?.[1];
      const type = extension === undefined ? undefined : contentTypes[extension];
      if (type === undefined) return null;
      const bytes = await readWorkspaceFile(root, known.get(name) ?? join(root, assetPath(name)));
      return bytes === null || imageSizeProblem(bytes) !== null ? null : { type, bytes };
    },
  };
}

/**
 * Returns null for files that are missing, too large, outside the workspace, in a hidden folder, or behind a link that
 * leads out of it.
 */
async function readWorkspaceFile(root: string, file: string): Promise<Buffer | null> {
  try {
    const [top, path] = await Promise.all([realpath(root), realpath(file)]);
    const hidden = pathWithin(top, path)
      .split("/")
      .some((name) => name.startsWith("."));
    const { size } = await stat(path);
    return !isInsideFolder(top, path) || hidden || size > limits.asset ? null : await readFile(path);
  } catch {
    return null;
  }
}
