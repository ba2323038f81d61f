/**
 * Creates repositories for clones by users who can't read everything. Git can't hide a ref or object inside a
 * repository, so each copy has only objects that its user can read: the present texts, as the same files as in the
 * repository, without history.
 */
import { setImmediate } from "node:timers/promises";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { Actor } from "#core/permissions/actor.ts";
import {
  can,
  mayReadVersion,
  canReadRestrictedSops,
  canSeeUnrestrictedLatestVersions,
  visibleVersion,
} from "#core/permissions/can.ts";
import type { Branch, CategoryEntry } from "#core/repository/event.ts";
import { epochSeconds, commitIdentityOf } from "#core/repository/message.ts";
import { assetPath } from "#core/repository/names.ts";
import { blobBytes, commitBytes, objectId } from "#core/repository/objects.ts";
import { categoriesFileText, categoriesFilePath, repoFileText, repoFilePath } from "#core/repository/repo-files.ts";
import { readVersionFacts } from "#core/repository/file-facts.ts";
import { MainIndex } from "#core/repository/index-files.ts";
import { emptyFolder, hashTree, putFile, type TreeFolder } from "#core/repository/tree.ts";
import type { Filter } from "../database/port.ts";
import type { SopDocument, SopVersionDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { historyRef, mainRef } from "../repository/bare-repository.ts";
import { createDatabaseLedger } from "../repository/database-ledger.ts";
import { createFolderOnDisk, realDisk } from "../repository/disk.ts";
import { createObjectWriter, type ObjectWriter } from "../repository/loose-writer.ts";
import { sha1 } from "../repository/sha1.ts";
import { moveRefIfUnchanged } from "../repository/refs.ts";
import type { RepositoryCopy, RepositoryCache } from "./repository-cache.ts";
import { proposalFactsForKey, putProposals, type FetchableProposal } from "./proposal-refs.ts";
import { versionFileBytes } from "../repository/version-file.ts";
import { filePlacesOfSop } from "#core/life-cycle/ledger.ts";
import { visibleScopes } from "../sops/list/visible.ts";
import { sha256 } from "../hashing.ts";
import { refusals } from "./refusals.ts";

type CopyServices = Pick<Services, "db" | "blobs" | "companies">;

/**
 * Says whether the actor can clone the whole repository, which contains all versions of all SOPs, including drafts and
 * deleted SOPs.
 */
export async function mayCloneEverything({ db }: Pick<Services, "db">, actor: Actor): Promise<boolean> {
  if (!can(actor, "repository.read") || !canSeeUnrestrictedLatestVersions(actor)) return false;
  if (canReadRestrictedSops(actor)) return true;
  const restricted = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .findOne({ restricted: true }, { projection: { _id: 1 } });
  return restricted === null;
}

export interface Copies {
  /**
   * Returns the copy for an actor.
   * @param proposals the proposals that the actor can see
   * @throws AppError `too_large` beyond `limits.clonedSops`
   */
  copyFor(actor: Actor, proposals: readonly FetchableProposal[]): Promise<RepositoryCopy>;
}

/** A file of a branch, with one version of an SOP. */
interface CopiedFile {
  branch: Branch;
  path: string;
  sopId: string;
  version: number;
  contentHash: string;
  at: string;
}

const versionsAtOnce = 100;

export function createCopies(services: CopyServices, cache: RepositoryCache): Copies {
  return {
    async copyFor(actor, proposals) {
      const { files, categories } = await loadReadableContents(services, actor);
      const facts = JSON.stringify([actor.companyId, categories, files, proposalFactsForKey(proposals)]);
      const key = sha256(facts);
      const { companyId } = actor;
      return cache.repositoryFor(key, (gitdir) =>
        writeCopiedFiles(services, companyId, gitdir, { files, categories, proposals }),
      );
    },
  };
}

/** Loads the versions that the actor can read now: published texts for `main`, the latest texts for `history`. */
async function loadReadableContents({ db, companies }: CopyServices, actor: Actor) {
  const store = db.forCompany(actor.companyId);
  const found = new Map<string, SopDocument>();
  for (const { filter } of visibleScopes(actor)) {
    const sops = await store.collection("sops").find({ ...filter, deletedAt: null }, { limit: limits.clonedSops + 1 });
    for (const sop of sops) found.set(sop._id, sop);
    if (found.size > limits.clonedSops) throw cloneTooLargeError();
  }
  const categories = await companies.categories(actor.companyId);
  const slugs = new Map(categories.map(({ _id, slug }) => [_id, slug]));
  const slugOf = (id: string | null) => (id === null ? null : (slugs.get(id) ?? null));
  const files = [...found.values()].flatMap((sop) => copiedFilesOfSop(actor, sop, slugOf));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const entries = categories.map(({ slug, name, color, order, parentId }): CategoryEntry => ({
    slug,
    name,
    color,
    order,
    ...(parentId ? { parent: slugs.get(parentId) ?? "" } : {}),
  }));
  return { files, categories: entries };
}

function copiedFilesOfSop(actor: Actor, sop: SopDocument, slugOf: (id: string | null) => string | null): CopiedFile[] {
  const place = filePlacesOfSop(sop, slugOf);
  const onMain = sop.published ?? sop.lastPublished;
  const files: CopiedFile[] = [];
  if (place.mainPath !== null && onMain && mayReadVersion(actor, sop, onMain.version)) {
    const { version, contentHash } = onMain;
    const at = sop.published?.updatedAt ?? sop.updatedAt;
    files.push({ branch: "main", path: place.mainPath, sopId: sop._id, version, contentHash, at });
  }
  // the folder of the latest text can differ from that of the published version, because a draft can have another
  // category
  if (place.path !== null && visibleVersion(actor, sop) === "latest") {
    const { version, contentHash, updatedAt: at } = sop;
    files.push({ branch: "history", path: place.path, sopId: sop._id, version, contentHash, at });
  }
  return files;
}

interface CopyContents {
  files: readonly CopiedFile[];
  categories: readonly CategoryEntry[];
  proposals: readonly FetchableProposal[];
}

async function writeCopiedFiles(
  { db, blobs }: CopyServices,
  companyId: string,
  gitdir: string,
  { files, categories, proposals }: CopyContents,
): Promise<void> {
  const objects = createObjectWriter(realDisk, gitdir);
  const made: CopyInProgress = { trees: { main: emptyFolder(), history: emptyFolder() }, index: new MainIndex() };
  const { trees } = made;
  const [founding] = await db.forCompany(companyId).collection("repo_events").find({ seq: 0 }, { limit: 1 });
  const settings = [
    [repoFilePath, repoFileText(companyId, founding?.company?.epoch ?? 1)],
    [categoriesFilePath, categoriesFileText(categories)],
  ] as const;
  for (const [name, text] of settings) {
    const oid = await objects.blob(blobBytes(text));
    for (const tree of Object.values(trees)) putFile(tree, name, oid);
  }
  for (let at = 0; at < files.length; at += versionsAtOnce) {
    await putFiles({ db, blobs }, { companyId, objects, made }, files.slice(at, at + versionsAtOnce));
  }
  for (const [name, text] of made.index.files(categories)) {
    putFile(trees.main, name, await objects.blob(blobBytes(text)));
  }
  const seconds = Math.max(0, ...files.map(({ at }) => epochSeconds(at)));
  const heads = Object.fromEntries(
    (["main", "history"] as const).map((branch) => {
      const tree = hashTree(trees[branch], sha1, objects.add);
      const author = commitIdentityOf("server", "SOP Server");
      const content = commitBytes({ tree, parent: null, author, seconds, message });
      const oid = objectId("commit", content, sha1);
      objects.add("commit", oid, content);
      return [branch, oid];
    }),
  ) as Record<Branch, string>;
  const proposed = await putProposals({ db }, companyId, objects, proposals);
  await objects.flush();
  await createFolderOnDisk(realDisk, `${gitdir}/refs/proposals`);
  await moveRefIfUnchanged(realDisk, gitdir, mainRef, null, heads.main);
  const seesDrafts = files.some(({ branch }) => branch === "history");
  if (seesDrafts) await moveRefIfUnchanged(realDisk, gitdir, historyRef, null, heads.history);
  for (const [name, oid] of proposed) await moveRefIfUnchanged(realDisk, gitdir, name, null, oid);
}

/**
 * The subject of a copy's first commit. If the copy has changed before the next push, that commit is recognized as the
 * base of the push.
 */
export const copySubject = "copy: what its user can read";
const message = `${copySubject}

This clone has no history. It has today's texts of the SOPs that its user can read.
Published texts are on main, the latest ones on history. To follow changes, fetch again
and run git reset --hard origin/main, or use sop pull.
`;

interface CopyInProgress {
  trees: Record<Branch, TreeFolder>;
  /** The index file of the SOPs that the user can read. */
  index: MainIndex;
}

async function putFiles(
  { db, blobs }: Pick<Services, "db" | "blobs">,
  { companyId, objects, made: { trees, index } }: { companyId: string; objects: ObjectWriter; made: CopyInProgress },
  files: readonly CopiedFile[],
): Promise<void> {
  const alternatives = files.map(({ sopId, version }): Filter<SopVersionDocument> => ({ sopId, version }));
  const found = await db.forCompany(companyId).collection("sop_versions").find({ $or: alternatives });
  const versions = new Map(found.map((version) => [`${version.sopId} ${version.version}`, version]));
  for (const file of files) {
    const stored = versions.get(`${file.sopId} ${file.version}`);
    if (stored === undefined) continue;
    const bytes = versionFileBytes(stored);
    const facts = file.branch === "main" ? readVersionFacts(Buffer.from(bytes).toString("utf8")) : null;
    if (facts !== null) index.set(file.path, facts);
    putFile(trees[file.branch], file.path, await objects.blob(bytes));
    for (const [name, oid] of await putAssets({ db, blobs }, { companyId, objects, stored, file: bytes })) {
      putFile(trees[file.branch], assetPath(name), oid);
    }
    await setImmediate();
  }
}

const assetName = /\.\.\/\.\.\/assets\/[0-9a-f]{2}\/([0-9a-f]{64})\.([a-z0-9]{2,5})/g;

/** Writes the stored assets that the version links. @returns the ids of their blobs, by file name */
async function putAssets(
  { db, blobs }: Pick<Services, "db" | "blobs">,
  {
    companyId,
    objects,
    stored,
    file,
  }: { companyId: string; objects: ObjectWriter; stored: SopVersionDocument; file: Uint8Array },
): Promise<Map<string, string>> {
  const { assets } = stored;
  const put = new Map<string, string>();
  const text = assets.length === 0 ? "" : Buffer.from(file).toString("utf8");
  for (const [, sha256 = "", extension = ""] of text.matchAll(assetName)) {
    const name = `${sha256}.${extension}`;
    if (put.has(name) || !assets.includes(sha256)) continue;
    const bytes = await createDatabaseLedger(db, blobs).asset(companyId, sha256);
    if (bytes !== null) put.set(name, await objects.blob(bytes));
  }
  return put;
}

function cloneTooLargeError(): AppError {
  const most = limits.clonedSops.toLocaleString("en");
  return new AppError("too_large", refusals.tooLargeClone({ most }));
}
