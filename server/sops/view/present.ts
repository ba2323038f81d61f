/** Presents SOPs in the form of the API contract: the latest version, or the published version for readers. */
import type { z } from "zod";
import type { Actor, Grant } from "#core/permissions/actor.ts";
import { grantsForUser, canBeApprover, canReadEveryVersion } from "#core/permissions/can.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import { slugify } from "#core/repository/slugs.ts";
import type { Sop, SopRow } from "#core/sops/schema.ts";
import type { CategoryDocument, SopDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import { findFavoritesAmong } from "../../favorites/favorites.ts";
import { withVisibleTitles } from "../links/titles.ts";
import { summaryFieldsOf } from "#core/life-cycle/step.ts";
import { loadDocumentControl } from "./document-control.ts";
import { loadVersionText } from "./version-text.ts";
import { readPeopleById } from "../list/sorted.ts";
import type { View } from "../list/visible.ts";

interface ShownSop {
  sop: SopDocument;
  view: View;
}

/** The grants and approvers that the actor can see. */
interface ActorFields {
  grants: readonly Pick<Grant, "userId" | "teamId" | "permission">[];
  approvers: readonly string[];
  waitsForMe: boolean;
  isAddressSecret: boolean;
}
const noActorFields: ActorFields = { grants: [], approvers: [], waitsForMe: false, isAddressSecret: false };

/** Facts about other records that rows show. */
interface RelatedRecords {
  categories: ReadonlyMap<string, CategoryDocument>;
  people: ReadonlyMap<string, { name: string; username: string; initials: string }>;
  namesakes: ReadonlySet<string>;
  favorites: ReadonlySet<string>;
}

/** Returns the fields of the version that an actor with this view reads. */
function versionInView(sop: SopDocument, view: View) {
  return view === "published" && sop.published ? sop.published : sop;
}

/** Returns the number of the version that an actor with this view reads. */
export function versionNumberInView(sop: SopDocument, view: View): number {
  return view === "published" && sop.published ? sop.published.version : sop.version;
}

/** Reads related records once for all of these rows, and returns the function that presents a row. */
export async function createRowPresenter(
  services: Pick<Services, "db" | "companies">,
  actor: Actor,
  rows: readonly ShownSop[],
): Promise<(row: ShownSop) => z.input<typeof SopRow>> {
  const related = await loadRelated(services, actor, rows);
  return ({ sop, view }) => presentSopRow(sop, view, actorFields(actor, sop), related);
}

async function loadRelated(
  { db, companies }: Pick<Services, "db" | "companies">,
  actor: Actor,
  rows: readonly ShownSop[],
): Promise<RelatedRecords> {
  const categories = await companies.categories(actor.companyId);
  const people = await readPeopleById(
    db,
    actor.companyId,
    rows.flatMap(({ sop, view }) => [sop.authorId, versionInView(sop, view).ownerId ?? sop.authorId]),
  );
  const ids = rows.map(({ sop }) => sop._id);
  const favorites = await findFavoritesAmong(db, actor, ids);
  return {
    categories: new Map(categories.map((category) => [category._id, category])),
    people,
    namesakes: await companies.namesakes(actor.companyId),
    favorites,
  };
}

function personOnCard(id: string | null, { people, namesakes }: Pick<RelatedRecords, "people" | "namesakes">) {
  const person = people.get(id ?? "");
  if (id === null || !person) return null;
  const { name, initials, username } = person;
  return { name, initials, username, hasNamesake: namesakes.has(id) };
}

/**
 * Returns the fields that depend on the actor. Grants and approvers are only the actor's own; the access settings show
 * all of them to users who can share.
 */
function actorFields(actor: Actor, sop: SopDocument): ActorFields {
  if (sop.grantees.length === 0) return noActorFields;
  const grants = grantsForUser(actor, sop.grants);
  return {
    grants: grants.map(({ userId, teamId, permission }) => ({ userId, teamId, permission })),
    approvers: sop.approvers.filter((userId) => userId === actor.userId),
    waitsForMe: sop.waitingFor?.includes(actor.userId) === true && canBeApprover(actor, sop),
    // until the publication, the address would reveal the draft's title
    isAddressSecret: sop.addressFixed !== true && !canReadEveryVersion(actor, sop),
  };
}

function presentSopRow(
  sop: SopDocument,
  view: View,
  own: ActorFields,
  { categories, favorites, ...persons }: RelatedRecords,
): z.input<typeof SopRow> {
  const shown = versionInView(sop, view);
  const category = categories.get(shown.categoryId ?? "");
  return {
    ...summaryFieldsOf(shown),
    id: sop._id,
    companyId: sop.companyId,
    number: sop.label,
    slug: own.isAddressSecret ? slugify(shown.title) : sop.slug,
    categoryId: shown.categoryId,
    category: category ? { name: category.name } : null,
    authorId: sop.authorId,
    author: personOnCard(sop.authorId, persons),
    owner: personOnCard(shown.ownerId, persons),
    status: view === "published" ? "published" : sop.status,
    views: sop.views,
    version: shown.version,
    published: sop.published ? { version: sop.published.version, effectiveAt: sop.published.effectiveAt } : null,
    publishedCategoryId: sop.published?.categoryId ?? null,
    scheduled:
      view === "latest" && sop.scheduled
        ? { version: sop.scheduled.version, effectiveAt: sop.scheduled.effectiveAt }
        : null,
    restricted: sop.restricted,
    grants: [...own.grants],
    approvers: [...own.approvers],
    waitsForMe: own.waitsForMe,
    contentHash: shown.contentHash,
    createdAt: sop.createdAt,
    updatedAt: shown.updatedAt,
    favorite: favorites.has(sop._id),
  };
}

/** Presents an SOP with its text. HTML comes from the render pool, cached by content. */
export async function presentSop(
  services: Pick<Services, "db" | "companies" | "render">,
  actor: Actor,
  sop: SopDocument,
  view: View,
  known: { markdown?: string | undefined; sopLinks?: readonly SopLink[] | undefined } = {},
): Promise<z.input<typeof Sop>> {
  const related = await loadRelated(services, actor, [{ sop, view }]);
  const row = presentSopRow(sop, view, actorFields(actor, sop), related);
  const stored = await loadVersionText(services, sop, versionNumberInView(sop, view));
  const { markdown = stored.markdown, sopLinks = stored.sopLinks } = known;
  const control = await loadDocumentControl(services, sop, view, stored, related.people.get(row.ownerId ?? "") ?? null);
  const html = await services.render.render(markdown);
  const effectiveAt = stored.frontMatter.effective ?? null;
  return { ...row, effectiveAt, markdown, content: await withVisibleTitles(services, actor, html, sopLinks), control };
}
