/** Reads and writes `.sop/import-map.json`, which records each imported file, so that the next import finds changes. */
import { join } from "node:path";
import { z } from "zod";
import { readIfExists, writeFileAtomically } from "../files.ts";

const ImportRecords = z.object({
  schema: z.literal("sop.import-map/1"),
  documents: z.record(
    z.string(),
    z.object({
      /** The SHA-256 of the source document. */
      sha256: z.string(),
      /** The path of the written file. `written` is the SHA-256 of its text. */
      file: z.string(),
      written: z.string(),
    }),
  ),
});
export type ImportRecords = z.output<typeof ImportRecords>["documents"];

const importRecordsPath = (folder: string) => join(folder, ".sop", "import-map.json");

/** Returns no records if the file is missing or damaged. Every file with another text is then a conflict. */
export async function readImportRecords(folder: string): Promise<ImportRecords> {
  const bytes = await readIfExists(importRecordsPath(folder));
  if (bytes === null) return {};
  try {
    return ImportRecords.parse(JSON.parse(bytes.toString())).documents;
  } catch {
    return {};
  }
}

export async function writeImportRecords(folder: string, documents: ImportRecords): Promise<void> {
  await writeFileAtomically(
    importRecordsPath(folder),
    `${JSON.stringify({ schema: "sop.import-map/1", documents }, null, 2)}\n`,
  );
}
