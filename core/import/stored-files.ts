import { sentences, type MessageWithId } from "#core/language/catalog.ts";
import { excessPixels } from "#core/assets/image-limits.ts";
import { assetExtensionOf, type AssetExtension } from "#core/assets/rules.ts";
import { limits } from "#core/limits.ts";
import { joinPath, baseFoldersOfLink } from "#core/links/link-targets.ts";
import { fileNameOf, extensionOf, type SourceFile, type SourceTree } from "./files.ts";
import { imageFilePattern } from "./image-name.ts";

const texts = sentences("core.import.files", {
  tooLarge: "{name} is larger than {most} MiB",
  unreadable: "{name} can't be read ({reason})",
  pixels:
    "{name} has {pixels, number} million pixels{frames, plural, =0 {} other { in its {frames} frames}}; the limit is {limit, number} million",
  pointer: "{name} is a pointer of Git LFS, not the image: run git lfs pull",
  format: "{name} can't be stored: PNG, JPEG, GIF, WebP and PDF can",
  svg: "{name} can't be stored: PNG, JPEG, GIF, WebP and PDF can, SVG can't: save it as PNG",
});

/** An image or PDF that a document shows or links, identified by its bytes. */
export interface StoredFile {
  sha256: string;
  ext: AssetExtension;
  size: number;
  name: string;
  read(): Promise<Uint8Array>;
}

export function assetAddress({ sha256, ext }: Pick<StoredFile, "sha256" | "ext">): string {
  return `/api/assets/${sha256}.${ext}`;
}

/**
 * The file to which an address leads, or the reason why the file can't be stored; undefined if the import has no such
 * file, or if its name is not that of an image or PDF.
 */
export type FoundFile = StoredFile | { problem: MessageWithId } | undefined;

export interface FileFinder {
  /** Finds a linked file. @param target the decoded address, as written in the document `from` */
  find(from: string, target: string): Promise<FoundFile>;
}

/** Creates a finder of linked files, which reads each file only once, even if many documents show it. */
export function createFileFinder(tree: SourceTree, sha256: (bytes: Uint8Array) => string): FileFinder {
  const known = new Map<string, Promise<FoundFile>>();
  const openFile = (file: SourceFile): Promise<FoundFile> => {
    const found = known.get(file.path) ?? examineFile(file, sha256);
    known.set(file.path, found);
    return found;
  };
  return {
    async find(from, target) {
      if (!imageFilePattern.test(target)) return undefined;
      const file = await findServedFile(tree, from, target);
      return file === undefined ? undefined : await openFile(file);
    },
  };
}

/** Folders whose files site generators serve at `/`. */
const servedFolders = ["", "static", "public", "assets", "docs", "source", "content", "src"];

async function findServedFile(tree: SourceTree, from: string, target: string): Promise<SourceFile | undefined> {
  const bases = baseFoldersOfLink(from, target);
  const folders = target.startsWith("/")
    ? bases.flatMap((site) => servedFolders.map((folder) => joinPath(site, folder) ?? ""))
    : bases;
  for (const folder of folders) {
    const path = joinPath(folder, target.replace(/^\/+/, ""));
    const file = path === undefined || path === "" ? undefined : await tree.find(path);
    if (file !== undefined) return file;
  }
  // search a name without a folder everywhere, because wikis link images this way
  return target.includes("/") ? undefined : await tree.named(target);
}

async function examineFile(file: SourceFile, sha256: (bytes: Uint8Array) => string): Promise<FoundFile> {
  const name = fileNameOf(file.path);
  if ((file.size ?? 0) > limits.asset) return { problem: tooLargeText(name) };
  try {
    return storedFileOrProblem(name, await file.read(), sha256, async () => await file.read());
  } catch (error) {
    return { problem: texts.unreadable({ name, reason: error instanceof Error ? error.message : String(error) }) };
  }
}

/** Returns the bytes of a file as a stored file, or the reason why they can't be stored. */
export function storedFileOrProblem(
  name: string,
  bytes: Uint8Array,
  sha256: (bytes: Uint8Array) => string,
  read: () => Promise<Uint8Array>,
): StoredFile | { problem: MessageWithId } {
  if (bytes.length > limits.asset) return { problem: tooLargeText(name) };
  const ext = assetExtensionOf(bytes);
  const excess = excessPixels(bytes);
  if (excess !== null) return { problem: texts.pixels({ name, ...excess, frames: excess.frames ?? 0 }) };
  if (ext !== null) return { sha256: sha256(bytes), ext, size: bytes.length, name, read };
  const head = new TextDecoder().decode(bytes.subarray(0, 60));
  if (head.startsWith("version https://git-lfs.")) {
    return { problem: texts.pointer({ name }) };
  }
  return { problem: extensionOf(name) === "svg" ? texts.svg({ name }) : texts.format({ name }) };
}

const tooLargeText = (name: string) => texts.tooLarge({ name, most: limits.asset / 1024 / 1024 });
