import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion, canReadEveryVersion } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import type { SopDocument, SopVersionDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import { loadApprovalsOfVersions } from "../view/document-control.ts";
import { withVisibleTitles } from "../links/titles.ts";
import { versionNumberInView } from "../view/present.ts";
import { loadVersionText } from "../view/version-text.ts";
import type { View } from "../list/visible.ts";

/** Lists the versions that the actor can read, newest first. */
export async function presentVersions({ db }: Pick<Services, "db">, actor: Actor, sop: SopDocument, view: View) {
  const company = db.forCompany(sop.companyId);
  const few = [versionNumberInView(sop, view), sop.published?.version].filter((version) => version !== undefined);
  const only = canReadEveryVersion(actor, sop) ? {} : { version: { $in: few } };
  const versions = await company
    .collection("sop_versions")
    .find({ sopId: sop._id, ...only }, { sort: { version: -1 }, projection: { markdown: 0, frontMatter: 0 } });
  const beside = await loadVersionFacts({ db }, sop, versions);
  return versions.map((version) => presentVersionRow(sop, view, version, beside));
}

export async function presentVersion(
  { db, render }: Pick<Services, "db" | "render">,
  actor: Actor,
  sop: SopDocument,
  view: View,
  version: number,
) {
  if (!mayReadVersion(actor, sop, version)) throw new AppError("not_found");
  const found = await loadVersionText({ db }, sop, version);
  return {
    ...presentVersionRow(sop, view, found, await loadVersionFacts({ db }, sop, [found])),
    markdown: found.markdown,
    content: await withVisibleTitles({ db }, actor, await render.render(found.markdown), found.sopLinks),
  };
}

/** Loads facts about versions from other collections. */
async function loadVersionFacts(
  { db }: Pick<Services, "db">,
  sop: SopDocument,
  versions: readonly SopVersionDocument[],
) {
  const periods = await db.forCompany(sop.companyId).collection("published_periods").find({ sopId: sop._id });
  return {
    answers: new Map(periods.map(({ version, changeClass, changeNote }) => [version, { changeClass, changeNote }])),
    commits: await loadCommitsOfVersions({ db }, sop.companyId, versions),
    approvals: await loadApprovalsOfVersions(
      { db },
      sop,
      versions.map(({ version }) => version),
    ),
  };
}

async function loadCommitsOfVersions(
  { db }: Pick<Services, "db">,
  companyId: string,
  versions: readonly SopVersionDocument[],
) {
  const seqs = [...new Set(versions.map(({ repoSeq }) => repoSeq))];
  const events = await db
    .forCompany(companyId)
    .collection("repo_events")
    .find({ seq: { $in: seqs } }, { projection: { seq: 1, oids: 1 } });
  return new Map(events.map((event) => [event.seq, event.oids.history]));
}

function presentVersionRow(
  sop: SopDocument,
  view: View,
  version: SopVersionDocument,
  { answers, commits, approvals }: Awaited<ReturnType<typeof loadVersionFacts>>,
) {
  const published = answers.get(version.version);
  return {
    id: version._id,
    sopId: version.sopId,
    version: version.version,
    title: version.title,
    description: version.description,
    changedBy: { id: version.changedBy, name: version.changedByName, username: version.changedByUsername },
    changeNote: published?.changeNote ?? version.changeNote,
    changeClass: published?.changeClass ?? version.changeClass,
    contentHash: version.contentHash,
    restores: version.restores,
    approvedBy: approvals.get(version.version) ?? [],
    isCurrent: version.version === versionNumberInView(sop, view),
    isInForce: version.version === sop.published?.version,
    commit: commits.get(version.repoSeq) ?? null,
    ai: version.ai ?? [],
    ...(version.automatic && { automatic: version.automatic }),
    createdAt: version.createdAt,
  };
}
