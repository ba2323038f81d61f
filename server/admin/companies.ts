/** Finds the companies that an operator chose: one by its slug, or all. Also checks the data folder. */
import { access, constants } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { ConfigError, type Config } from "../config.ts";
import { assertRegularFiles } from "../data-files.ts";
import { assertFolderRestored } from "../data-folder/installation.ts";
import type { Collections, CompanyDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { errorCodeOf } from "../repository/disk.ts";
import { refusals } from "./refusals.ts";

/**
 * Loads the company with the slug, or all companies if no slug is given.
 * @throws AppError not_found, which names the existing companies
 */
export async function loadChosenCompanies(
  db: Pick<Database<Collections>, "collection">,
  slug: string | undefined,
): Promise<CompanyDocument[]> {
  const all = await db.collection("companies").find({}, { sort: { slug: 1 } });
  if (slug === undefined) return all;
  const found = all.filter((company) => company.slug === slug);
  if (found.length > 0) return found;
  const known = all.length === 0 ? "there is none" : `there are ${all.map((company) => company.slug).join(", ")}`;
  throw new AppError("not_found", refusals.unknownCompany({ slug, known }));
}

/**
 * Checks that the data folder exists. Opening the database would create the folder, and with a wrong DATA_DIR the
 * server would look empty.
 */
export async function assertDataFolder({ dataDir, mongodbUri }: Config): Promise<void> {
  assertRegularFiles(dataDir);
  if (mongodbUri !== null) return;
  await access(path.join(dataDir, "sopwright.db"), constants.R_OK).catch((error: unknown) => {
    if (errorCodeOf(error) !== "ENOENT") throw error;
    assertFolderRestored(dataDir);
    throw new ConfigError([
      `DATA_DIR: no sopwright.db in ${dataDir}: set DATA_DIR to the server's data folder, or MONGODB_URI`,
    ]);
  });
}
