import type { SopAction } from "#core/permissions/actions.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { asReader, can } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { fieldsOf } from "#core/sop-fields.ts";
import {
  assertArchivable,
  assertArchived,
  assertPublishable,
  assertUnpublishable,
  isRestorable,
  planMoveAsDraft,
  planSave,
  waitsFor,
  type DocumentControl,
  type SavePlan,
} from "#core/sops/rules.ts";
import type { ImportNote } from "#core/sops/import-schema.ts";
import type { PublishAsk } from "#core/sops/publication.ts";
import type { SopFacets, SopQuery, SopUpdate } from "#core/sops/schema.ts";
import { ignoreFullDisk } from "../database/postponed.ts";
import { aiPartsOf } from "../ai/parts.ts";
import { favoriteHandlers } from "../favorites/handlers.ts";
import type { RecentRecorder } from "../favorites/recorder.ts";
import type { SopDocument } from "../database/documents.ts";
import { sopApprovalHandlers } from "../approvals/handlers.ts";
import type { Call, Handlers, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { findAll, searchList, type FoundList } from "../search/search-list.ts";
import { sopAccessHandlers } from "../permissions/sop-access.ts";
import { reviewHandlers } from "../periodic-review/handlers.ts";
import { assertCategory, closingSteps, createSop, versionBy } from "./edit/create.ts";
import { assertFresh, authorOf, changeSop, documentControlOf, policyFor, reviewsOf } from "./edit/change.ts";
import { renumbered } from "./edit/numbers.ts";
import { loadFor, loadVisible } from "./view/load.ts";
import { readersCanFollow } from "./edit/publishing-rule.ts";
import { exportSop } from "./view/export.ts";
import { assertTextReady, checkText } from "./edit/checks.ts";
import { importDocuments } from "./import/import.ts";
import { convertFile } from "./import/convert-file.ts";
import { facetFields, facetsOf, withoutFacets } from "./list/facets.ts";
import { listedRows, listSops, listSorted, type SopList } from "./list/list.ts";
import { withIds } from "./list/named-filters.ts";
import { listRecent } from "./list/recent.ts";
import { presentAt } from "./history/published-on.ts";
import { presentSop, rowPresenter, versionSeen } from "./view/present.ts";
import {
  archiveStep,
  deleteStep,
  moveStep,
  publishStep,
  saveStep,
  unarchiveStep,
  undeleteStep,
  unpublishStep,
  type Publication,
  type Author,
  type Step,
} from "./edit/steps.ts";
import { fieldsOfVersion, sameText, type NewVersion } from "./edit/version-of.ts";
import { composeText, dateField, fileOf, loadBase, setOrClear, type Base, type Composed } from "./edit/text.ts";
import { versionHandlers } from "./history/handlers.ts";
import { linkedFrom } from "./links/linked-from.ts";
import { linkSops, storedLinks } from "./links/link-sops.ts";
import type { ViewCounter } from "./view/view-counter.ts";

type Signed = { identity: Identity } & Pick<Call, "origin" | "idempotency" | "ctx" | "ifMatch">;

export function sopHandlers(services: Services, views: ViewCounter, recent: RecentRecorder): Handlers<"sops"> {
  const { db, clock } = services;

  async function list(actor: Actor, query: SopQuery): Promise<SopList & Partial<FoundList>> {
    const { recent: range, sort = "relevance", search = "" } = query;
    const hasWords = search.trim() !== "";
    if (range !== undefined) {
      await recent.flush().catch(ignoreFullDisk);
      const found = hasWords ? await findAll(services, actor, search, query) : undefined;
      const ids = found && new Set(found.map(({ sop }) => sop._id));
      return listRecent(db, clock, actor, { ...query, recent: range }, ids);
    }
    if (hasWords) return searchList(services, actor, { ...query, search });
    if (sort === "relevance" || sort === "-updated") return listSops(db, clock, actor, query);
    return listSorted(services, actor, { ...query, sort });
  }

  async function facets(actor: Actor, query: SopQuery): Promise<SopFacets> {
    const { search = "" } = query;
    const base = withoutFacets(query);
    const rowsOf = (status: "all" | "archived") =>
      search.trim() === ""
        ? listedRows(db, clock, actor, { ...base, status }, facetFields)
        : findAll(services, actor, search, { ...base, status });
    const [live, archived] = await Promise.all([rowsOf("all"), rowsOf("archived")]);
    return facetsOf(services, actor, query, { live, archived });
  }

  /** Every write answers with the SOP as its author now sees it, and a save with how the text differs from what was sent. */
  async function answer(call: Signed, sop: SopDocument, saved?: { markdown: string; notes: ImportNote[] }) {
    const { actor } = call.identity;
    const view = can(actor, "sop.read_head", sop) || sop.published === null ? "latest" : "published";
    call.ctx.set("ETag", `"v${sop.version}"`);
    recent.touched(sop, actor.userId);
    const shown = await presentSop(services, actor, sop, view, view === "latest" ? { markdown: saved?.markdown } : {});
    return { ...shown, ...(saved !== undefined && saved.notes.length > 0 && { notes: saved.notes }) };
  }

  /** One verb on one SOP: load, check, step, write. */
  function act<Body extends { changeNote?: string | null | undefined }>(
    action: SopAction,
    step: (sop: SopDocument, at: string, note: string | null, body: Body, actor: Actor) => Promise<Step> | Step,
  ) {
    return async (call: Signed & { params: { id: string }; body: Body }) => {
      const at = clock.now();
      const load = async () => {
        const sop = await loadFor(services, call.identity.actor, call.params.id, action);
        assertFresh(sop, call.ifMatch);
        return sop;
      };
      const note = call.body.changeNote?.trim() || null;
      return answer(
        call,
        await changeSop(services, authorOf(call, at), call.params.id, load, async (sop) => [
          await step(sop, at, note, call.body, call.identity.actor),
        ]),
      );
    };
  }

  return {
    async list({ identity, query: asked }) {
      const actor = asked.view === "published" ? asReader(identity.actor) : identity.actor;
      const query = await withIds(services, actor, asked);
      const { rows, matches, ...page } = await list(actor, query);
      const present = await rowPresenter(services, actor, rows);
      const data = rows.map((row) => {
        const match = matches?.get(row.sop._id);
        return match ? { ...present(row), match } : present(row);
      });
      return { data, ...page, ...(query.facets === undefined ? {} : { facets: await facets(actor, query) }) };
    },

    async get(call) {
      const actor = call.query.view === "published" ? asReader(call.identity.actor) : call.identity.actor;
      const { sop, view } = await loadVisible(services, actor, call.params.id);
      const { at } = call.query;
      if (at !== undefined) return presentAt(services, actor, sop, view, at);
      views.seen(sop, call.identity.user._id);
      recent.touched(sop, call.identity.user._id);
      call.ctx.set("ETag", `"v${versionSeen(sop, view)}"`);
      return presentSop(services, actor, sop, view);
    },

    async links({ identity, params }) {
      const { sop } = await loadVisible(services, identity.actor, params.id);
      return linkedFrom(services, identity.actor, sop);
    },

    async create(call) {
      assertNotRestricting(call.body, false);
      const { sop, ignored, ...saved } = await createSop(services, call, call.body);
      call.ctx.state["ignored"] = ignored;
      return answer(call, sop, saved);
    },

    async update(call) {
      const { body, identity } = call;
      await assertCategory(services, identity.actor.companyId, body.categoryId);
      const author = authorOf(call, clock.now());
      const ai = await aiPartsOf(services, identity.user, body.aiCalls);
      let saved: { markdown: string; notes: ImportNote[] } | undefined;
      const load = async () => {
        const sop = await loadFor(services, identity.actor, call.params.id, "sop.edit");
        assertFresh(sop, call.ifMatch);
        return sop;
      };
      const sop = await changeSop(services, author, call.params.id, load, async (latest) => {
        assertMayChangeOwner(identity.actor, latest, body);
        assertNotRestricting(body, latest.restricted);
        const base = await loadBase(services, latest);
        const composed = await composeText(services, identity, withoutDefaults(body, latest), base, latest.aiDrafted);
        saved = { markdown: composed.text.markdown, notes: composed.notes };
        const categoryId = body.categoryId === undefined ? latest.categoryId : body.categoryId;
        const numbered = await renumbered(services, latest, body.number, categoryId);
        const changed = numbered !== latest || !sameText(base.text, composed.text);
        const may = {
          publish: can(identity.actor, "sop.publish", latest),
          archive: can(identity.actor, "sop.archive", latest),
        };
        const target = await policyFor(services, latest.companyId, categoryId);
        const moves = categoryId !== latest.categoryId;
        const control = await strictestControl(services, latest, target.control);
        const planned = planSave(latest, { status: body.status, changed, moves }, may, control);
        const readersFollow = !moves || (await readersCanFollow(db, latest, target));
        const plan = readersFollow ? planned : planMoveAsDraft(latest, planned);
        call.ctx.state["ignored"] = plan.newVersion ? [] : fieldsOfVersion(body);
        if (plan.publish) await assertTextReady(services, identity.actor, composed.text);
        const reviews = await reviewsOf(services, { companyId: latest.companyId, categoryId });
        const ofSave = plan.newVersion && !changed ? { ...body, changeClass: "minor" as const } : body;
        const steps = saveSteps(
          numbered,
          { ...plan, readersFollow },
          { ...composed, ai },
          call,
          author,
          ofSave,
          reviews,
        );
        if (numbered === latest) return steps;
        const number = { from: latest.label, to: numbered.label };
        return steps.map((step) => (step.verb === "save" ? { ...step, changes: { ...step.changes, number } } : step));
      });
      return answer(call, sop, saved);
    },

    async remove(call) {
      const at = clock.now();
      await changeSop(
        services,
        authorOf(call, at),
        call.params.id,
        async () => {
          const sop = await loadFor(services, call.identity.actor, call.params.id, "sop.delete");
          assertFresh(sop, call.ifMatch);
          return sop;
        },
        (sop) => [deleteStep(sop, at)],
      );
      return { ok: true };
    },

    async undelete(call) {
      const at = clock.now();
      const load = async () => {
        const sop = await db
          .forCompany(call.identity.actor.companyId)
          .collection("sops")
          .findOne({ _id: call.params.id });
        // a deleted SOP exists only for users who can delete it
        if (!sop || !isRestorable(sop, at) || !can(call.identity.actor, "sop.delete", sop))
          throw new AppError("not_found");
        assertFresh(sop, call.ifMatch);
        return sop;
      };
      const undelete = (sop: SopDocument) => [undeleteStep(sop, at)];
      return answer(call, await changeSop(services, authorOf(call, at), call.params.id, load, undelete));
    },

    ...versionHandlers(services),

    async preview({ body }) {
      return { content: await services.render.render(body.markdown) };
    },

    check: ({ body, identity }) => checkText(services, identity.actor, fileOf(body, identity.user.username)),

    async restore(call) {
      const { identity, params, body } = call;
      const author = authorOf(call, clock.now());
      const load = async () => {
        const sop = await loadFor(services, identity.actor, params.id, "sop.restore");
        assertFresh(sop, call.ifMatch);
        if (sop.status === "archived")
          throw new AppError("conflict", "This SOP is archived: unarchive it before you restore a version");
        return sop;
      };
      const sop = await changeSop(services, author, params.id, load, async (latest) => {
        if (params.version === latest.version) throw new AppError("conflict", "This version is the current one");
        const old = await loadBase(services, latest, params.version);
        // it brings back an SOP whose latest text is lost
        const now = await loadBase(services, latest).catch((error: unknown) => {
          if (error instanceof AppError && error.code === "damaged") return old;
          throw error;
        });
        const { text, relations } = withRelationsOf(old, now);
        const { markdown, links: sops } = await linkSops(services, identity.actor, text.markdown, old.sopLinks);
        const links = { ...(await services.render.assetLinks(markdown)), sops: storedLinks(sops) };
        const next = { text: { ...text, markdown }, relations, links, ...versionBy(author, call, body) };
        return [saveStep(latest, { ...next, restores: params.version })];
      });
      return answer(call, sop);
    },

    publish: act("sop.publish", async (sop, at, note, { changeClass, effectiveAt }: PublishAsk, actor) => {
      const control = await documentControlOf(services, sop.companyId, sop.categoryId);
      assertPublishable(sop, control, effectiveAt !== undefined);
      const { text } = await loadBase(services, sop);
      await assertTextReady(services, actor, text);
      const effective = dateField(effectiveAt, text.frontMatter.effective, "effectiveAt");
      const answers = waitsFor(sop) === null ? { changeClass } : answersOf(sop.scheduled, changeClass);
      return publishStep(sop, { at, note, effective, ...answers, ...(await reviewsOf(services, sop)) });
    }),
    unpublish: act("sop.publish", (sop, at, note) => {
      assertUnpublishable(sop);
      return unpublishStep(sop, at, note);
    }),
    archive: act("sop.archive", (sop, at, note) => {
      assertArchivable(sop);
      return archiveStep(sop, at, note);
    }),
    unarchive: act("sop.archive", (sop, at, note) => {
      assertArchived(sop);
      return unarchiveStep(sop, at, note);
    }),

    async export(call) {
      const isForReaders = call.query.view === "published";
      const identity = isForReaders ? { ...call.identity, actor: asReader(call.identity.actor) } : call.identity;
      const { sop, view } = await loadVisible(services, identity.actor, call.params.id);
      await exportSop(services, { ...call, identity }, sop, view);
    },

    import: (call) => services.shares.imports.run(() => importDocuments(services, call)),
    convertFile: (call) => convertFile(services, call),
    ...sopAccessHandlers(services),
    ...sopApprovalHandlers(services),
    ...favoriteHandlers(services),
    ...reviewHandlers(services),
  };
}

/**
 * Owner and team get access to the SOP. So naming another one means sharing, which needs more than the right to edit.
 */
function assertMayChangeOwner(actor: Actor, latest: SopDocument, { ownerId, teamId }: SopUpdate): void {
  const changed = (["ownerId", "teamId"] as const).filter((field) => {
    const requested = { ownerId, teamId }[field];
    return requested !== undefined && requested !== latest[field];
  });
  if (changed.length > 0 && !can(actor, "sop.share", latest)) {
    const message = "You can't give this SOP to another owner or team";
    throw new AppError("forbidden", message, Object.fromEntries(changed.map((field) => [field, message])));
  }
}

/** A version that waits for its day keeps its approvals, and what it tells readers, when it gets another day. */
function answersOf(
  scheduled: SopDocument["scheduled"],
  chosen: PublishAsk["changeClass"],
): Pick<Publication, "approvals" | "changeClass" | "changeNote"> {
  const { approvals = [], changeClass = chosen, changeNote } = scheduled ?? {};
  return { approvals, changeClass: chosen ?? changeClass, ...(changeNote !== undefined && { changeNote }) };
}

/** A save restricts nothing. Its author must not believe that no one else reads the SOP. */
function assertNotRestricting({ restricted }: SopUpdate, isRestricted: boolean): void {
  if (restricted === undefined || restricted === null || restricted === isRestricted) return;
  const message = "A save can't change who reads this SOP. Use PUT /api/sops/:id/restricted";
  throw new AppError("invalid_input", message, { restricted: message });
}

/** A save that moves an SOP obeys the category it comes from, too. */
async function strictestControl(
  services: Services,
  { companyId, categoryId }: SopDocument,
  target: DocumentControl,
): Promise<DocumentControl> {
  return target === "flexible" ? documentControlOf(services, companyId, categoryId) : target;
}

/** A restore brings back the text. Owner, team, effective date and review date stay as they are now. */
function withRelationsOf(old: Base, now: Base): Base {
  const frontMatter = { ...old.text.frontMatter };
  for (const { file } of fieldsOf("relation", "day")) setOrClear(frontMatter, file, now.text.frontMatter[file]);
  return { text: { ...old.text, frontMatter }, relations: now.relations, number: now.number };
}

function saveSteps(
  latest: SopDocument,
  plan: SavePlan & { readersFollow: boolean },
  composed: Composed & Pick<NewVersion, "ai">,
  call: Signed,
  author: Author,
  body: SopUpdate,
  reviews: Pick<Publication, "reviewMonths">,
): Step[] {
  const steps: Step[] = [];
  const current = () => steps.at(-1)?.sop ?? latest;
  if (plan.unarchive) steps.push(unarchiveStep(current(), author.at, null));
  if (body.categoryId !== undefined && body.categoryId !== latest.categoryId) {
    steps.push(moveStep(current(), body.categoryId, author.at, plan.readersFollow));
  }
  if (plan.newVersion) {
    const next = {
      ...composed,
      ...versionBy(author, call, body),
      clearsReview: body.reviewBy === null || body.reviewBy === "",
      ...(body.automatic && { automatic: body.automatic }),
    };
    steps.push(saveStep(current(), next));
  }
  const { effective } = composed.text.frontMatter;
  return [...steps, ...closingSteps(current(), plan, { at: author.at, note: null, effective, ...reviews })];
}

/** Clients send the whole record back, with the default review date. Unchanged, it sets nothing. */
function withoutDefaults(body: SopUpdate, { reviewBy }: SopDocument): SopUpdate {
  const rest = { ...body };
  if (rest.reviewBy === reviewBy) delete rest.reviewBy;
  return rest;
}
