/** Reads the id and version of an exported SOP from its file, even if other lines of the front matter have errors. */
import { isId } from "#core/ids.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";

export interface ExportedKeys {
  id: string;
  version: number | null;
}

/** Reads the id and version from a file. Null for a file without an id of the server; other tools write other ids. */
export function exportedKeysOf(text: string): ExportedKeys | null {
  const raw = filePartsOf(text).raw ?? "";
  const id = /^id:[ \t]*(["']?)([0-9A-Fa-f-]{36})\1[ \t]*(?:#.*)?$/m.exec(raw)?.[2];
  if (!isId(id)) return null;
  const [, version] = /^version: (\d{1,9})$/m.exec(raw) ?? [];
  return { id: id.toLowerCase(), version: version === undefined ? null : Number(version) };
}

export function exportedSopIdOf(text: string): string | null {
  return exportedKeysOf(text)?.id ?? null;
}

/** Splits a file into front matter and text. Front matter that isn't YAML is part of the text, and refused later. */
export function filePartsOf(text: string): { raw: string | null; body: string } {
  try {
    return splitFrontMatter(text);
  } catch {
    return { raw: null, body: text };
  }
}
