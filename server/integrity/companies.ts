import type { Collections } from "../database/documents.ts";
import { DatabaseUnavailableError, type Database } from "../database/port.ts";
import type { CheckShare, Share } from "./report.ts";

interface Company {
  _id: string;
  slug: string;
}

/** A check of one company after the other. Where to go on is a company, and a place in it unless it is done. */
export function checkCompanies(
  db: Pick<Database<Collections>, "collection">,
  check: (company: Company) => CheckShare,
): CheckShare {
  const projection = { slug: 1 } as const;
  return async (after) => {
    const [id = "", place] = after.split(" ");
    const _id = place === undefined ? { $gt: id } : { $gte: id };
    const [company] = await db.collection("companies").find({ _id }, { sort: { _id: 1 }, limit: 1, projection });
    if (!company) return { checked: 0, next: null, findings: [] };
    const isSame = company._id === id;
    const { checked, next, findings } = await shareOf(company, () => check(company)(isSame ? (place ?? "") : ""));
    return { checked, next: next === null ? company._id : `${company._id} ${next}`, findings };
  };
}

/** Damage may also show as a failure to read: it hides no other company's. */
async function shareOf({ slug }: Company, share: () => Promise<Share>): Promise<Share> {
  try {
    return await share();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError || !(error instanceof Error) || error.name === "AbortError")
      throw error;
    return { checked: 0, next: null, findings: [`${slug}: it can't be read: ${error.message}`] };
  }
}
