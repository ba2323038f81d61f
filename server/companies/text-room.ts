/** Counts texts in the bytes of a company, beside its images and PDFs. */
import { AppError } from "#core/errors.ts";
import { formatMebibytes } from "../assets/room.ts";
import type { CounterDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { allowedBytes } from "./record.ts";
import { refusals } from "./refusals.ts";

/**
 * The share of the bytes that only texts can use. Versions are kept for good, so images alone must not end all saves.
 */
const reserve = 0.25;

export interface TextRoom {
  /** Bytes of texts that the company can have. */
  texts: number;
  /** Bytes of texts, images and PDFs that the plan allows. */
  limit: number;
}

export async function textRoomOf(
  { companies, config }: Pick<Services, "companies" | "config">,
  companyId: string,
): Promise<TextRoom> {
  const company = await companies.get(companyId);
  const limit = company ? allowedBytes(company, config) : config.companyBytes;
  return { limit, texts: Math.max(limit * reserve, limit * (1 + reserve) - (company?.assetBytes ?? 0)) };
}

/** @param counters the counters after the addition of `added` bytes of new texts @throws AppError limit_reached */
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
