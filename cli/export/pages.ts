/** Writes one HTML, PDF, Word or Markdown file per document. */
import type { PdfStandard } from "#core/export/printing.ts";
import type { Problem } from "../exit.ts";
import { exportEach } from "../left-out-sops.ts";
import { createSharedFileWriter, type WriteFile } from "./folder.ts";
import type { PageFormat, DocumentSource } from "./source.ts";
import type { CommandOutput } from "../output.ts";

/** @returns the problems of documents that are left out */
export async function writePages(
  source: DocumentSource,
  format: PageFormat,
  standard: PdfStandard | null,
  out: CommandOutput,
  writeFile: WriteFile,
): Promise<Problem[]> {
  const { failed } = await exportEach(source.entries, out, async (entry) => {
    const { bytes, warnings } = await source.renderFile(entry, format, standard);
    for (const warning of warnings) out.note(`${entry.number}: ${warning}`);
    await writeFile(`${entry.path}.${format}`, bytes);
  });
  return failed;
}

/**
 * Writes the files as the repository holds them, with the files that they link.
 * @returns the problems of documents that are left out
 */
export async function writeMarkdown(
  source: DocumentSource,
  out: CommandOutput,
  writeFile: WriteFile,
): Promise<Problem[]> {
  const writeOnce = createSharedFileWriter(writeFile);
  const { failed } = await exportEach(source.entries, out, async (entry) => {
    const text = await source.text(entry);
    for (const { path, bytes } of await source.attachments(entry, text)) await writeOnce(path, bytes);
    await writeFile(entry.path + entry.ending, text);
  });
  return failed;
}
