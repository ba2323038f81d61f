/** Puts documents and their evidence into one zip file. */
import type { ExportDocument } from "./document.ts";
import { zipFiles } from "./zip-files.ts";

export interface BundledDocument {
  id: string | null;
  document: ExportDocument;
  /** Path → bytes: the document's Markdown, PDF and records. */
  files: Record<string, Uint8Array>;
}

interface BundledFile {
  path: string;
  sha256: string;
  bytes: number;
}

/**
 * Creates the zip file. `manifest.json` lists every file with its SHA-256, and every document with its status. The file
 * contains no time, so the same documents always give the same bytes.
 * @param assets images that several documents may share, by path
 * @param sha256 returns hexadecimal digits
 */
export function createBundle(
  documents: readonly BundledDocument[],
  assets: Record<string, Uint8Array>,
  sha256: (bytes: Uint8Array) => string,
): Uint8Array {
  const bundledFiles = (files: Record<string, Uint8Array>): BundledFile[] =>
    Object.keys(files)
      .sort()
      .map((path) => ({ path, sha256: sha256(files[path] as Uint8Array), bytes: (files[path] as Uint8Array).length }));
  const manifest = {
    schema: "sopwright.bundle/1",
    documents: documents.map(({ id, document, files }) => {
      const { markdown: _markdown, ...facts } = document;
      return { id, ...facts, files: bundledFiles(files) };
    }),
    assets: bundledFiles(assets),
  };
  const all = Object.assign({}, assets, ...documents.map(({ files }) => files)) as Record<string, Uint8Array>;
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  return zipFiles({ ...all, "manifest.json": new TextEncoder().encode(text) });
}
