/**
 * Finds missing items that stored documents refer to. A backup needs this, because it doesn't see items that it lacks.
 */
import { declarations, type Collections } from "../database/documents.ts";
import { createCompanyStore } from "../database/company-store.ts";
import { DamagedDocumentError, DatabaseUnavailableError, type Store } from "../database/port.ts";
import { isMissingFinding } from "../findings/known-losses.ts";
import { failureReason } from "../foreign-failure.ts";
import { checkAuditGaps } from "./audit-gaps.ts";
import { lostCompanyFindings } from "./companies.ts";
import { checkLedger } from "./ledger.ts";
import type { CheckShare, CheckedShare } from "./report.ts";
import { checkReferences } from "./references.ts";
import { checkSops, checkVersions } from "./stored.ts";

const failed = "the check of what is missing failed: ";

export async function findMissingDocuments(
  { collection }: Store<Collections>,
  onProgress: () => void = () => undefined,
): Promise<string[]> {
  const db = { collection, forCompany: (id: string) => createCompanyStore({ collection }, declarations, id) };
  const companies = await collection("companies").find({}, { projection: { slug: 1 } });
  const findLostCompanies: CheckShare = async () => ({
    checked: 0,
    next: null,
    findings: await lostCompanyFindings(db),
  });
  const checks: CheckShare[] = [
    findLostCompanies,
    checkVersions(db),
    checkSops(db),
    checkReferences(db),
    ...companies.flatMap((company) => [checkLedger(db, company._id), checkAuditGaps(db, company)]),
  ];
  const lines: string[] = [];
  for (const check of checks)
    for (let after: string | null = ""; after !== null; onProgress()) {
      const { findings, next }: CheckedShare = await shareUnlessDamaged(() => check(after ?? ""));
      lines.push(...findings);
      after = next;
    }
  return [...new Set(lines)].filter((line) => isMissingFinding(line) || line.startsWith(failed));
}

/** Runs a check so that damage ends the check and not the backup. Another check names a document that can't be read. */
async function shareUnlessDamaged(check: () => Promise<CheckedShare>): Promise<CheckedShare> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError || !(error instanceof Error)) throw error;
    const findings = error instanceof DamagedDocumentError ? [] : [`${failed}${failureReason(error)}`];
    return { checked: 0, next: null, findings };
  }
}
