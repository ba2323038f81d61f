/**
 * Adds names to findings for operators: numbers of SOPs, and names of users and companies. Findings themselves only
 * have ids.
 */
import { defaultNumberLabel } from "#core/repository/names.ts";
import type { Collections } from "../database/documents.ts";
import { LostCollectionError, type Database } from "../database/port.ts";

type CollectionSource = Pick<Database<Collections>, "collection">;

const id = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const file = /\bfile ([0-9a-f]{64})\b/;
const linesAtMost = 100;
const companiesAtMost = 1000;

/** Adds the known names to the end of the first 100 lines. If a document is damaged, other documents tell its name. */
export async function withNames(db: CollectionSource, lines: readonly string[]): Promise<string[]> {
  const known = new Map<string, Promise<string | null>>();
  const nameOf = (one: string): Promise<string | null> => {
    const name = known.get(one) ?? findName(db, one).catch(nullIfCollectionLost);
    known.set(one, name);
    return name;
  };
  const named: string[] = [];
  for (const line of lines.slice(0, linesAtMost)) {
    const names: string[] = [];
    for (const one of [...(line.match(id) ?? []), ...(file.exec(line)?.slice(1) ?? [])]) {
      const name = await nameOf(one);
      if (name !== null && !names.includes(name)) names.push(name);
    }
    named.push(names.length === 0 ? line : `${line} (${names.join(", ")})`);
  }
  return [...named, ...lines.slice(linesAtMost)];
}

/** Turns the error of a collection that can't be read into null. Throws any other error again. */
function nullIfCollectionLost(error: unknown): null {
  if (error instanceof LostCollectionError) return null;
  throw error;
}

async function findName(db: CollectionSource, one: string): Promise<string | null> {
  const first = { limit: 1 } as const;
  const [sop] = await db.collection("sops").find({ _id: one }, first);
  if (sop) return `${sop.label} "${sop.title}"`;
  const [user] = await db.collection("users").find({ _id: one }, first);
  if (user) return `user ${user.username}`;
  const [company] = await db.collection("companies").find({ _id: one }, first);
  if (company) return `company ${company.slug}`;
  // try each company, because the indexes begin with the company's id
  const all = await db.collection("companies").find({}, { projection: { slug: 1 }, limit: companiesAtMost });
  for (const { _id: companyId } of all) {
    const name = await (one.length === 64
      ? findSopNameByFile(db, companyId, one)
      : findNameElsewhere(db, companyId, one));
    if (name !== null) return name;
  }
  return null;
}

/** Finds the name of an SOP that links a file. */
async function findSopNameByFile(db: CollectionSource, companyId: string, sha256: string): Promise<string | null> {
  const [version] = await db.collection("sop_versions").find({ companyId, assets: sha256 }, { limit: 1 });
  return version ? findName(db, version.sopId) : null;
}

/** Finds the name of an SOP or user whose document is damaged, in versions, events and audit entries. */
async function findNameElsewhere(db: CollectionSource, companyId: string, one: string): Promise<string | null> {
  const latest = { sort: { version: -1 }, limit: 1 } as const;
  const [version] = await db.collection("sop_versions").find({ companyId, sopId: one }, latest);
  if (version) {
    const [event] = await db.collection("repo_events").find({ companyId, seq: version.repoSeq }, { limit: 1 });
    const item = event?.items.find(({ sopId }) => sopId === one);
    const label = item && (item.label ?? defaultNumberLabel(item.number));
    return `${label === undefined ? "" : `${label} `}"${version.title}"`;
  }
  const [entry] = await db.collection("audit_logs").find({ companyId, userId: one }, { limit: 1 });
  return entry?.userName ? `user ${entry.userName}` : null;
}
