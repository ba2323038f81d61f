/** Reads keys of an SOP in its file without parsing the rest of the front matter, which can have faults. */
import { isId } from "#core/ids.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";

export interface ExportedKeys {
  id: string;
  version: number | null;
}

/** The id and version in a file that an SOP was exported to. Other tools' ids have another form and count as text. */
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

/** The front matter and the text below it. Front matter in another language is part of the text, and refused later. */
export function filePartsOf(text: string): { raw: string | null; body: string } {
  try {
    return splitFrontMatter(text);
  } catch {
    return { raw: null, body: text };
  }
}
