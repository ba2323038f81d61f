/** Checks that the texts of a company fit into its bytes, together with its images and PDFs. */
import { AppError } from "#core/errors.ts";
import { formatMebibytes } from "../assets/room.ts";
import type { CounterDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { byteLimitOf } from "./record.ts";
import { refusals } from "./refusals.ts";

/**
 * The share of the company's bytes that only texts can use. Versions are never deleted, so without it, images could
 * prevent all saves.
 */
const reserve = 0.25;

export interface TextRoom {
  /** The maximum number of bytes of texts. */
  texts: number;
  /** The maximum number of bytes of texts, images and PDFs together. */
  limit: number;
}

export async function loadTextRoom(
  { companies, config }: Pick<Services, "companies" | "config">,
  companyId: string,
): Promise<TextRoom> {
  const company = await companies.get(companyId);
  const limit = company ? byteLimitOf(company, config) : config.companyBytes;
  return { limit, texts: Math.max(limit * reserve, limit * (1 + reserve) - (company?.assetBytes ?? 0)) };
}

/**
 * Checks that the texts fit.
 * @param counters the counters after the addition of `added` bytes of new texts
 * @throws AppError limit_reached
 */
export function assertTextRoom(
  { textBytes = 0 }: Pick<CounterDocument, "textBytes">,
  added: number,
  { texts, limit }: TextRoom,
): void {
  if (textBytes <= texts) return;
  const used = textBytes - added;
  const message = refusals.fullOfTexts({ used: formatMebibytes(used), limit: formatMebibytes(limit) });
  throw new AppError("limit_reached", message, { used, limit });
}
