/**
 * Finds missing items that stored documents refer to, for backups: a copy of all stored items doesn't show which ones
 * are missing.
 */
import { declarations, type Collections } from "../database/documents.ts";
import { createCompanyStore } from "../database/company-store.ts";
import { DamagedDocumentError, DatabaseUnavailableError, type Store } from "../database/port.ts";
import { isMissingFinding } from "../findings/known-losses.ts";
import { failureReason } from "../foreign-failure.ts";
import { createAuditGapsCheck } from "./audit-gaps.ts";
import { findMissingCompanyLines } from "./companies.ts";
import { createLedgerCheck } from "./ledger.ts";
import type { ShareCheck, CheckedShare } from "./report.ts";
import { createReferencesCheck } from "./references.ts";
import { createSopsCheck, createVersionsCheck } from "./stored.ts";

const failed = "the check of what is missing failed: ";

/** Returns a line for each missing item, and for each check that failed. */
export async function findMissingDocumentLines(
  { collection }: Store<Collections>,
  onProgress: () => void = () => undefined,
): Promise<string[]> {
  const db = { collection, forCompany: (id: string) => createCompanyStore({ collection }, declarations, id) };
  const companies = await collection("companies").find({}, { projection: { slug: 1 } });
  const findLostCompanies: ShareCheck = async () => ({
    checked: 0,
    next: null,
    findings: await findMissingCompanyLines(db),
  });
  const checks: ShareCheck[] = [
    findLostCompanies,
    createVersionsCheck(db),
    createSopsCheck(db),
    createReferencesCheck(db),
    ...companies.flatMap((company) => [createLedgerCheck(db, company._id), createAuditGapsCheck(db, company)]),
  ];
  const lines: string[] = [];
  for (const check of checks)
    for (let after: string | null = ""; after !== null; onProgress()) {
      const { findings, next }: CheckedShare = await checkShareUnlessDamaged(() => check(after ?? ""));
      lines.push(...findings);
      after = next;
    }
  return [...new Set(lines)].filter((line) => isMissingFinding(line) || line.startsWith(failed));
}

/**
 * Runs a share so that an error ends only this check and not the backup. Another check names a document that can't be
 * read.
 */
async function checkShareUnlessDamaged(check: () => Promise<CheckedShare>): Promise<CheckedShare> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError || !(error instanceof Error)) throw error;
    const findings = error instanceof DamagedDocumentError ? [] : [`${failed}${failureReason(error)}`];
    return { checked: 0, next: null, findings };
  }
}
