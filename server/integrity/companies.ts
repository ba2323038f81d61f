import type { Collections } from "../database/documents.ts";
import { DamagedDocumentError, DatabaseUnavailableError, type Database } from "../database/port.ts";
import { failureReason } from "../foreign-failure.ts";
import type { ShareCheck, CheckedShare } from "./report.ts";

interface CompanySlug {
  _id: string;
  slug: string;
}

/**
 * Creates a check that runs `check` on one company after the other. The position after a share is a company's id. While
 * the check of that company isn't done, its own position follows the id.
 */
export function createCompaniesCheck(
  db: Pick<Database<Collections>, "collection">,
  check: (company: CompanySlug) => ShareCheck,
): ShareCheck {
  const projection = { slug: 1 } as const;
  return async (after) => {
    const [id = "", place] = after.split(" ");
    const _id = place === undefined ? { $gt: id } : { $gte: id };
    const [company] = await db.collection("companies").find({ _id }, { sort: { _id: 1 }, limit: 1, projection });
    if (!company) return { checked: 0, next: null, findings: [] };
    const isSame = company._id === id;
    const { checked, next, findings } = await checkShareOrReportFailure(company, () =>
      check(company)(isSame ? (place ?? "") : ""),
    );
    return { checked, next: next === null ? company._id : `${company._id} ${next}`, findings };
  };
}

/**
 * Checks a share of a company. A failure to read can be damage, so it becomes a finding, and the next company is still
 * checked.
 * @throws only if the database is unavailable or the check was aborted
 */
async function checkShareOrReportFailure(
  { slug }: CompanySlug,
  share: () => Promise<CheckedShare>,
): Promise<CheckedShare> {
  try {
    return await share();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError || !(error instanceof Error) || error.name === "AbortError")
      throw error;
    return { checked: 0, next: null, findings: [`${slug}: it can't be read: ${failureReason(error)}`] };
  }
}

/** The collections in which the search looks for company ids. Each has an index that begins with the company's id. */
const written = ["users", "sops", "sop_versions", "repo_events", "assets"] as const;

/** Returns a line for each company whose record is missing. */
export async function findMissingCompanyLines(db: Pick<Database<Collections>, "collection">): Promise<string[]> {
  return (await findLostCompanyIds(db)).map(missingCompanyLine);
}

export const missingCompanyLine = (companyId: string) => `company ${companyId}: its record is missing`;

/**
 * Finds the ids of companies that stored documents name but that have no record. Reads a single index entry for each
 * company.
 */
export async function findLostCompanyIds(db: Pick<Database<Collections>, "collection">): Promise<string[]> {
  const named = new Set<string>();
  const options = { sort: { companyId: 1 }, limit: 1, projection: { companyId: 1 } } as const;
  for (const name of written)
    for (let after = ""; ;) {
      const [next] = await db.collection(name as "sops").find({ companyId: { $gt: after } }, options);
      if (next === undefined) break;
      after = next.companyId;
      named.add(after);
    }
  const lost: string[] = [];
  for (const _id of [...named].sort()) {
    const company = await db
      .collection("companies")
      .findOne({ _id })
      .catch((error: unknown) => {
        // Another check reads all documents and reports a damaged record, so this one reports only missing ones.
        if (error instanceof DamagedDocumentError) return undefined;
        throw error;
      });
    if (company === null) lost.push(_id);
  }
  return lost;
}
