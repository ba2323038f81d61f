/** `.sop/import-map.json` in a folder of imported files: the base of the next import's three-way comparison. */
import { join } from "node:path";
import { z } from "zod";
import { readIfExists, writeFileAtomically } from "../files.ts";

const ImportMap = z.object({
  schema: z.literal("sop.import-map/1"),
  documents: z.record(
    z.string(),
    z.object({
      /** The hash of the source. */
      sha256: z.string(),
      /** The written file, and the hash of its text. */
      file: z.string(),
      written: z.string(),
    }),
  ),
});
export type ImportMap = z.output<typeof ImportMap>["documents"];

const place = (folder: string) => join(folder, ".sop", "import-map.json");

/** Empty where there is none, or one that can't be read: then every difference is a conflict. */
export async function readImportMap(folder: string): Promise<ImportMap> {
  const bytes = await readIfExists(place(folder));
  if (bytes === null) return {};
  try {
    return ImportMap.parse(JSON.parse(bytes.toString())).documents;
  } catch {
    return {};
  }
}

export async function writeImportMap(folder: string, documents: ImportMap): Promise<void> {
  await writeFileAtomically(place(folder), `${JSON.stringify({ schema: "sop.import-map/1", documents }, null, 2)}\n`);
}
