/** HTML, PDF and Word files: one to a document. */
import type { PdfStandard } from "#core/export/printing.ts";
import { runParallel } from "../run-parallel.ts";
import type { WriteFile } from "./folder.ts";
import type { PageFormat, Source } from "./source.ts";
import type { Output } from "../output.ts";

export async function writePages(
  source: Source,
  format: PageFormat,
  standard: PdfStandard | null,
  out: Output,
  writeFile: WriteFile,
): Promise<void> {
  let done = 0;
  await runParallel(source.entries, async (entry) => {
    const { bytes, warnings } = await source.make(entry, format, standard);
    for (const warning of warnings) out.note(`${entry.number}: ${warning}`);
    await writeFile(`${entry.path}.${format}`, bytes);
    done += 1;
    out.progress(`exporting ${done} of ${source.entries.length}`);
  });
}

/** The files as the repository holds them, with their linked files. */
export async function writeMarkdown(source: Source, out: Output, writeFile: WriteFile): Promise<void> {
  const taken = new Set<string>();
  await runParallel(source.entries, async (entry, index) => {
    out.progress(`exporting ${index + 1} of ${source.entries.length}`);
    const text = await source.text(entry);
    await writeFile(`${entry.path}.md`, text);
    for (const { path, bytes } of await source.attachments(entry, text)) {
      if (taken.has(path)) continue;
      taken.add(path);
      await writeFile(path, await bytes());
    }
  });
}
