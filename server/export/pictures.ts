import { isWhole } from "../assets/whole.ts";
import type { Collections, SopVersionDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

/** The bytes of all pictures that a version shows, by the names its text has for them. Who may read the text may see them. */
export async function picturesOf(
  db: Database<Collections>,
  { companyId, assets }: Pick<SopVersionDocument, "companyId" | "assets">,
): Promise<Record<string, Uint8Array>> {
  if (assets.length === 0) return {};
  const stored = await db
    .forCompany(companyId)
    .collection("assets")
    .find({ sha256: { $in: [...new Set(assets)] } }, { projection: { sha256: 1, ext: 1, bytes: 1 } });
  const named = stored.flatMap(({ sha256, ext, bytes }) => {
    // a damaged one is left out like one that is missing: the export says so in its place
    if (bytes === undefined || ext === "pdf" || !isWhole(sha256, bytes)) return [];
    const own = new Uint8Array(bytes);
    return [
      [`${sha256}.${ext}`, own],
      [sha256, own],
    ] as const;
  });
  return Object.fromEntries(named);
}
