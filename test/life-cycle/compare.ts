/** Compares the server's stored data and answers with the model. */
import { expect } from "vitest";
import { visibleVersion } from "#core/permissions/can.ts";
import { ApiError } from "#core/api/client.ts";
import type { ApprovalRequestDocument, SopDocument, SopVersionDocument } from "../../server/database/documents.ts";
import type { TestServer } from "../server.ts";
import { counted, factsOf, latestOf, openRequest, type SopState } from "./life.ts";
import type { Player, Stage } from "./stage.ts";

/** All stored data of one SOP. */
export interface Stored {
  sop: SopDocument;
  versions: readonly SopVersionDocument[];
  requests: readonly ApprovalRequestDocument[];
}

const dayOf = (time: string | undefined) => time?.replace("T00:00:00.000Z", "");

/** Compares the state, every version, every request, the outcomes, the log of effects and the published versions. */
export async function compareStored({ db }: TestServer, stage: Stage, id: string, life: SopState): Promise<Stored> {
  const { house, categoryIds } = stage;
  const company = db.forCompany(house.companyId);
  const ofSop = { sopId: id };
  const [sop, versions, requests, reviews, log, periods] = await Promise.all([
    company.collection("sops").findOne({ _id: id }),
    company.collection("sop_versions").find(ofSop, { sort: { version: 1 } }),
    company.collection("approval_requests").find(ofSop, { sort: { createdAt: 1, _id: 1 } }),
    company.collection("reviews").find(ofSop, { sort: { createdAt: 1, _id: 1 } }),
    company.collection("audit_logs").find({ entityId: id }, { sort: { createdAt: 1, _id: 1 } }),
    company.collection("published_periods").find(ofSop, { sort: { from: 1, _id: 1 } }),
  ]);
  if (!sop) throw new Error("the SOP is lost");
  const [latest, open] = [latestOf(life), openRequest(life)];
  const isHere = life.deletedAt === null;
  expect({
    status: sop.status,
    version: sop.version,
    published: [sop.published?.version ?? null, sop.published?.categoryId ?? null],
    scheduled: sop.scheduled && [sop.scheduled.version, dayOf(sop.scheduled.effectiveAt), sop.scheduled.categoryId],
    deletedAt: sop.deletedAt,
    restricted: sop.restricted,
    categoryId: sop.categoryId,
    ownerId: sop.ownerId,
    teamId: sop.teamId,
    flags: { live: sop.live, hasPublished: sop.hasPublished, matchesPublished: sop.matchesPublished },
    request: [sop.requestId, sop.approvers, sop.waitingFor ?? []],
    grants: Object.fromEntries(sop.grants.map(({ userId, permission }) => [userId, permission])),
  }).toEqual({
    status: life.status,
    version: life.versions.length,
    published: [life.published, life.publishedIn && categoryIds[life.publishedIn]],
    scheduled: life.scheduled && [
      life.scheduled.version,
      life.scheduled.day,
      life.scheduled.in && categoryIds[life.scheduled.in],
    ],
    deletedAt: life.deletedAt,
    restricted: life.restricted,
    categoryId: life.category && categoryIds[life.category],
    ownerId: latest.owner,
    teamId: latest.inTeam ? house.teamId : null,
    flags: {
      live: isHere && life.status !== "archived",
      hasPublished: isHere && life.published !== null,
      matchesPublished: isHere && (life.published !== null || life.status === "published"),
    },
    request: [
      open ? requests.at(-1)?._id : null,
      open ? counted(open).map(({ who }) => who) : [],
      open ? counted(open).flatMap(({ who, status }) => (status === "pending" ? [who] : [])) : [],
    ],
    grants: life.grants,
  });
  expect(
    versions.map(({ version, markdown, frontMatter, changedBy }) => [
      version,
      markdown,
      frontMatter.effective ?? null,
      frontMatter.team !== undefined,
      changedBy,
    ]),
  ).toEqual(life.versions.map(({ body, effective, inTeam, by }, index) => [index + 1, body, effective, inTeam, by]));
  expect(
    requests.map(({ version, status, outcome, rule, requestedBy, approvers }) => ({
      by: requestedBy,
      version,
      rule,
      approvers: approvers.map((one) => ({ who: one.userId, status: one.status, isReplaced: one.replacedAt !== null })),
      status,
      outcome,
    })),
  ).toEqual(life.requests);
  expect(reviews.map(({ verdict, version }) => ({ verdict, version }))).toEqual(life.reviews);
  const effects = log.filter(({ action }) => action !== "access.denied");
  expect(effects.map(({ action }) => action.replace("sop.", ""))).toEqual(life.effects);
  expect(new Set(periods.map(({ version }) => version))).toEqual(new Set(life.everPublished));
  expect(periods.flatMap(({ until, version }) => (until === null ? [version] : []))).toEqual(
    isHere && life.published !== null ? [life.published] : [],
  );
  return { sop, versions, requests };
}

/** Compares the SOP that a person sees. */
export async function compareSeen(
  person: Player,
  { house, categoryIds }: Stage,
  id: string,
  life: SopState,
): Promise<void> {
  const view = visibleVersion(person.actor, factsOf(life, house));
  const version = view === "latest" ? life.versions.length : life.published;
  const shown = version === null ? undefined : life.versions[version - 1];
  const isLatest = view === "latest";
  const expected = view !== "nothing" &&
    shown && {
      version,
      markdown: shown.body,
      status: isLatest ? life.status : "published",
      published: life.published,
      scheduled: isLatest ? (life.scheduled?.version ?? null) : null,
      categoryId: ((home) => home && categoryIds[home])(isLatest ? life.category : life.publishedIn),
      ownerId: shown.owner,
      teamId: shown.inTeam ? house.teamId : null,
      restricted: life.restricted,
    };
  const read = await person.client.sops.get({ params: { id } }).then(
    (sop) => ({
      version: sop.version,
      markdown: sop.markdown,
      status: sop.status,
      published: sop.published?.version ?? null,
      scheduled: sop.scheduled?.version ?? null,
      categoryId: sop.categoryId,
      ownerId: sop.ownerId,
      teamId: sop.teamId,
      restricted: sop.restricted,
    }),
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );
  expect([person.role, read]).toEqual([person.role, expected || "not_found"]);
}

/** Compares the filters that find the SOP: by the readers' version, and by the status of the latest version. */
export async function compareFilters(person: Player, { house }: Stage, id: string, life: SopState): Promise<void> {
  const view = visibleVersion(person.actor, factsOf(life, house));
  const waits = life.status === "published" && life.scheduled?.version === life.versions.length;
  const isPublished = view !== "nothing" && life.published !== null && life.deletedAt === null;
  const wanted = [...(isPublished ? ["published"] : []), ...(view === "latest" && waits ? ["scheduled"] : [])];
  const found: string[] = [];
  for (const status of ["published", "scheduled"] as const) {
    const { data } = await person.client.sops.list({ query: { status, limit: 200 } });
    if (data.some((sop) => sop.id === id)) found.push(status);
  }
  expect([person.role, found]).toEqual([person.role, life.deletedAt === null ? wanted : []]);
}
