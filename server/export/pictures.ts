import { setImmediate } from "node:timers/promises";
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
  const sizes = await collection.find(shown, { projection: { sha256: 1, size: 1, ext: 1 } });
  const together = sizes.reduce((sum, { size, ext }) => sum + (ext === "pdf" ? 0 : size), 0);
  if (together > limits.exportImages) throw tooManyBytes(together);
  const named: Record<string, Uint8Array> = {};
  for (const { sha256, ext } of sizes) {
    if (ext === "pdf") continue;
    // one at a time, with a turn for requests between two: reading and hashing a large one takes the event loop
    await setImmediate();
    const bytes = (await collection.findOne({ sha256 }, { projection: { bytes: 1 } }))?.bytes;
    // a damaged one is left out like one that is missing: the export says so in its place
    if (bytes === undefined || !isWhole(sha256, bytes)) continue;
    named[sha256] = named[`${sha256}.${ext}`] = new Uint8Array(bytes);
  }
  return named;
}

function tooManyBytes(together: number): AppError {
  const [has, most] = [together, limits.exportImages].map((bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`);
  return new AppError(
    "unprocessable",
    `The document's images have ${has} together; the limit is ${most}. Use smaller images`,
  );
}
