import { sha256Of } from "../hashing.ts";
import { createBundle, type BundledDocument } from "#core/export/bundle.ts";
import type { PdfStandard } from "#core/export/printing.ts";
import type { Problem } from "../exit.ts";
import { exportEach } from "../left-out-sops.ts";
import type { DocumentSource } from "./source.ts";
import type { CommandOutput } from "../output.ts";

/** Packs Markdown, PDF and records of every document into one zip, with a manifest of their hashes. */
export async function packBundle(
  source: DocumentSource,
  standard: PdfStandard | null,
  out: CommandOutput,
): Promise<{ bytes: Uint8Array; failed: Problem[] }> {
  const assets: Record<string, Uint8Array> = {};
  const { made, failed } = await exportEach(source.entries, out, async (entry): Promise<BundledDocument> => {
    const text = await source.text(entry);
    const { document } = await source.read(entry);
    const { bytes, warnings } = await source.renderFile(entry, "pdf", standard);
    for (const warning of warnings) out.note(`${entry.number}: ${warning}`);
    const records = await source.records(entry);
    if (records["audit"] === null) out.note(`${entry.number}: without its audit rows, which your token can't read`);
    const files: BundledDocument["files"] = {
      [entry.path + entry.ending]: Buffer.from(text),
      [`${entry.path}.pdf`]: bytes,
    };
    if (Object.keys(records).length > 0) {
      files[`records/${entry.number.toLowerCase()}.json`] = Buffer.from(`${JSON.stringify(records, null, 2)}\n`);
    }
    const own: typeof assets = {};
    for (const { path, bytes: read } of await source.attachments(entry, text))
      own[path] = assets[path] ?? (await read());
    // Assets are added after all other work, so that a document that fails adds none of its files to the bundle.
    Object.assign(assets, own);
    return { id: entry.id, document, files };
  });
  return { bytes: createBundle(made, assets, (bytes) => sha256Of(bytes)), failed };
}
