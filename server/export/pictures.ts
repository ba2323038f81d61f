import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { isWhole } from "../assets/whole.ts";
import type { Collections, SopVersionDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

/**
 * The bytes of all images that a version shows, by the names its text has for them. Readers of the text may see them.
 * @throws AppError `unprocessable` if they are more than the server holds for one file
 */
export async function picturesOf(
  db: Database<Collections>,
  { companyId, assets }: Pick<SopVersionDocument, "companyId" | "assets">,
): Promise<Record<string, Uint8Array>> {
  if (assets.length === 0) return {};
  const [collection, shown] = [
    db.forCompany(companyId).collection("assets"),
    { sha256: { $in: [...new Set(assets)] } },
  ];
  const sizes = await collection.find(shown, { projection: { size: 1, ext: 1 } });
  const together = sizes.reduce((sum, { size, ext }) => sum + (ext === "pdf" ? 0 : size), 0);
  if (together > limits.exportImages) throw tooManyBytes(together);
  const stored = await collection.find(shown, { projection: { sha256: 1, ext: 1, bytes: 1 } });
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

function tooManyBytes(together: number): AppError {
  const [has, most] = [together, limits.exportImages].map((bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`);
  return new AppError(
    "unprocessable",
    `The document's images have ${has} together; the limit is ${most}. Use smaller images`,
  );
}
