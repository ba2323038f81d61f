import type { SopAction } from "#core/permissions/actions.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { actorForList, actorAsReader, can } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { fieldsOfKinds } from "#core/sop-fields.ts";
import { archiveStep, deleteStep, canBeUndeleted, unarchiveStep, undeleteStep } from "#core/life-cycle/archive.ts";
import { assertCanPublishDirectly, planPublish, unpublishStep } from "#core/life-cycle/publish.ts";
import { assertVersionCanBeRestored, saveStep } from "#core/life-cycle/save.ts";
import type { LifeCycleStep } from "#core/life-cycle/step.ts";
import { assertNotRestricting } from "#core/life-cycle/update.ts";
import type { ImportNote } from "#core/sops/import-schema.ts";
import type { PublishAsk } from "#core/sops/publication.ts";
import type { SopFacets, SopQuery } from "#core/sops/list-schema.ts";
import { favoriteHandlers } from "../favorites/handlers.ts";
import type { RecentRecorder } from "../favorites/recorder.ts";
import type { SopDocument } from "../database/documents.ts";
import { sopApprovalHandlers } from "../approvals/handlers.ts";
import type { Call, Handlers, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { findAllHits, listSearchHits, type FoundList } from "../search/search-list.ts";
import { sopAccessHandlers } from "../permissions/sop-access.ts";
import { reviewHandlers } from "../periodic-review/handlers.ts";
import { createSop, factsOfNewVersion } from "./edit/create.ts";
import {
  assertVersionMatches,
  authorOfChange,
  changeSop,
  loadDocumentControlSettings,
  createSopLoader,
  loadReviewMonths,
} from "./edit/change.ts";
import { loadVisibleSop } from "./view/load.ts";
import { exportSop } from "./view/export.ts";
import { assertTextReady, checkText } from "./edit/checks.ts";
import { importDocuments } from "./import/import.ts";
import { convertFile } from "./import/convert-file.ts";
import { facetFields, countFacets, withoutFacets } from "./list/facets.ts";
import { readListedRows, listSops, listSortedSops, type SopList } from "./list/list.ts";
import { withResolvedFilters } from "./list/named-filters.ts";
import { listRecentSops } from "./list/recent.ts";
import { findUnreadableSopIds } from "./list/unreadable.ts";
import { presentSopPublishedAt } from "./history/published-on.ts";
import { presentSop, createRowPresenter, versionNumberInView } from "./view/present.ts";
import { updateSop } from "./edit/update.ts";
import { buildNextVersion } from "./edit/version-of.ts";
import { unsavedTextAsFile, loadSaveBase, setOrDeleteField, type SaveBase } from "./edit/text.ts";
import { versionHandlers } from "./history/handlers.ts";
import { findSopsLinkingTo } from "./links/linked-from.ts";
import { linkSops, storedLinks } from "./links/link-sops.ts";
import type { ViewCounter } from "./view/view-counter.ts";

type SopCall = { identity: Identity } & Pick<Call, "origin" | "idempotency" | "ctx" | "ifMatch">;

export function sopHandlers(services: Services, views: ViewCounter, recent: RecentRecorder): Handlers<"sops"> {
  const { db, clock } = services;

  async function answerList(actor: Actor, query: SopQuery): Promise<SopList & Partial<FoundList>> {
    const { recent: range, sort = "relevance", search = "" } = query;
    const hasWords = search.trim() !== "";
    if (range !== undefined) {
      await recent.flush();
      const found = hasWords ? await findAllHits(services, actor, search, query) : undefined;
      const ids = found && new Set(found.map(({ sop }) => sop._id));
      return listRecentSops(db, clock, actor, { ...query, recent: range }, ids);
    }
    if (hasWords) return listSearchHits(services, actor, { ...query, search });
    if (sort === "relevance" || sort === "-updated") return listSops(db, clock, actor, query);
    return listSortedSops(services, actor, { ...query, sort });
  }

  async function answerFacets(user: Actor, query: SopQuery): Promise<SopFacets> {
    const { search = "" } = query;
    const base = withoutFacets(query);
    const rowsOf = (status: "all" | "archived" | "published") => {
      const actor = actorForList(user, { view: query.view, status });
      return search.trim() === ""
        ? readListedRows(db, clock, actor, { ...base, status }, facetFields)
        : findAllHits(services, actor, search, { ...base, status });
    };
    const [live, archived, published] = await Promise.all([rowsOf("all"), rowsOf("archived"), rowsOf("published")]);
    return countFacets(services, user, query, { live, archived, published });
  }

  /**
   * Answers a write with the SOP as its author now sees it. The answer to a save also lists how the stored text differs
   * from the sent text.
   */
  async function answerWrite(call: SopCall, sop: SopDocument, saved?: { markdown: string; notes: ImportNote[] }) {
    const { actor } = call.identity;
    const view = can(actor, "sop.read_head", sop) || sop.published === null ? "latest" : "published";
    call.ctx.set("ETag", `"v${sop.version}"`);
    recent.recordUse(sop, actor.userId);
    const shown = await presentSop(services, actor, sop, view, view === "latest" ? { markdown: saved?.markdown } : {});
    return { ...shown, ...(saved !== undefined && saved.notes.length > 0 && { notes: saved.notes }) };
  }

  /** Creates the handler of an action on an SOP: it loads the SOP, checks, takes the step and writes. */
  function handlerOfStep<Body extends { changeNote?: string | null | undefined }>(
    action: SopAction,
    step: (
      sop: SopDocument,
      at: string,
      note: string | null,
      body: Body,
      actor: Actor,
    ) => Promise<LifeCycleStep> | LifeCycleStep,
  ) {
    return async (call: SopCall & { params: { id: string }; body: Body }) => {
      const at = clock.now();
      const note = call.body.changeNote?.trim() || null;
      const load = createSopLoader(services, call, action);
      const stepsFor = async (sop: SopDocument) => [await step(sop, at, note, call.body, call.identity.actor)];
      return answerWrite(call, await changeSop(services, authorOfChange(call, at), call.params.id, load, stepsFor));
    };
  }

  return {
    async list({ identity, query: asked }) {
      const actor = actorForList(identity.actor, asked);
      const query = await withResolvedFilters(services, actor, asked);
      const { rows, matches, ...page } = await answerList(actor, query);
      const present = await createRowPresenter(services, actor, rows);
      const data = rows.map((row) => {
        const match = matches?.get(row.sop._id);
        return match ? { ...present(row), match } : present(row);
      });
      const unreadable = (await findUnreadableSopIds(services, actor.companyId)).size;
      return {
        data,
        ...page,
        ...(unreadable > 0 && { unreadable }),
        ...(query.facets === undefined ? {} : { facets: await answerFacets(identity.actor, query) }),
      };
    },

    async get(call) {
      const actor = call.query.view === "published" ? actorAsReader(call.identity.actor) : call.identity.actor;
      const { sop, view } = await loadVisibleSop(services, actor, call.params.id);
      const { at } = call.query;
      if (at !== undefined) return presentSopPublishedAt(services, actor, sop, view, at);
      views.seen(sop, call.identity.user._id);
      recent.recordUse(sop, call.identity.user._id);
      call.ctx.set("ETag", `"v${versionNumberInView(sop, view)}"`);
      return presentSop(services, actor, sop, view);
    },

    async links({ identity, params }) {
      const { sop } = await loadVisibleSop(services, identity.actor, params.id);
      return findSopsLinkingTo(services, identity.actor, sop);
    },

    async create(call) {
      assertNotRestricting(call.body, false);
      const { sop, ignored, ...saved } = await createSop(services, call, call.body);
      call.ctx.state["ignored"] = ignored;
      return answerWrite(call, sop, saved);
    },

    async update(call) {
      const { sop, ignored, ...saved } = await updateSop(services, call);
      call.ctx.state["ignored"] = ignored;
      return answerWrite(call, sop, saved);
    },

    async remove(call) {
      const at = clock.now();
      const load = createSopLoader(services, call, "sop.delete");
      await changeSop(services, authorOfChange(call, at), call.params.id, load, (sop) => [deleteStep(sop, at)]);
      return { ok: true };
    },

    async undelete(call) {
      const at = clock.now();
      const loadDeletedSop = async () => {
        const sop = await db
          .forCompany(call.identity.actor.companyId)
          .collection("sops")
          .findOne({ _id: call.params.id });
        // a deleted SOP is visible only to users who can delete it
        if (!sop || !canBeUndeleted(sop, at) || !can(call.identity.actor, "sop.delete", sop))
          throw new AppError("not_found");
        assertVersionMatches(sop, call.ifMatch);
        return sop;
      };
      const undeleteSteps = (sop: SopDocument) => [undeleteStep(sop, at)];
      return answerWrite(
        call,
        await changeSop(services, authorOfChange(call, at), call.params.id, loadDeletedSop, undeleteSteps),
      );
    },

    ...versionHandlers(services),

    async preview({ body }) {
      return { content: await services.render.render(body.markdown) };
    },

    check: ({ body, identity }) => checkText(services, identity.actor, unsavedTextAsFile(body, identity.user.username)),

    async restore(call) {
      const { identity, params, body } = call;
      const author = authorOfChange(call, clock.now());
      const load = createSopLoader(services, call, "sop.restore");
      const sop = await changeSop(services, author, params.id, load, async (latest) => {
        const old = await loadSaveBase(services, latest, params.version);
        assertVersionCanBeRestored(latest, params.version);
        // a restore also works for an SOP whose latest text is lost or damaged
        const now = await loadSaveBase(services, latest).catch((error: unknown) => {
          if (error instanceof AppError && error.code === "damaged") return old;
          throw error;
        });
        const { text, relations } = withRelationsOf(old, now);
        const { markdown, links: sops } = await linkSops(services, identity.actor, text.markdown, old.sopLinks);
        const links = { ...(await services.render.assetLinks(markdown)), sops: storedLinks(sops) };
        const next = { text: { ...text, markdown }, relations, links, ...factsOfNewVersion(author, body) };
        return [saveStep(latest, buildNextVersion(latest, { ...next, restores: params.version }))];
      });
      return answerWrite(call, sop);
    },

    publish: handlerOfStep("sop.publish", async (sop, at, note, asked: PublishAsk, actor) => {
      const control = await loadDocumentControlSettings(services, sop.companyId, sop.categoryId);
      assertCanPublishDirectly(sop, control, asked.effectiveAt !== undefined);
      const { text } = await loadSaveBase(services, sop);
      await assertTextReady(services, actor, text);
      const inText = text.frontMatter.effective;
      return planPublish(sop, asked, { inText, at, note, ...(await loadReviewMonths(services, sop)) });
    }),
    unpublish: handlerOfStep("sop.publish", unpublishStep),
    archive: handlerOfStep("sop.archive", archiveStep),
    unarchive: handlerOfStep("sop.archive", unarchiveStep),

    async export(call) {
      const isForReaders = call.query.view === "published";
      const identity = isForReaders ? { ...call.identity, actor: actorAsReader(call.identity.actor) } : call.identity;
      const { sop, view } = await loadVisibleSop(services, identity.actor, call.params.id);
      await exportSop(services, { ...call, identity }, sop, view);
    },

    import: (call) => importDocuments(services, call),
    convertFile: (call) => convertFile(services, call),
    ...sopAccessHandlers(services),
    ...sopApprovalHandlers(services),
    ...favoriteHandlers(services),
    ...reviewHandlers(services),
  };
}

/** Returns the text of `old` with the owner, team, effective date and review date of `now`. */
function withRelationsOf(old: SaveBase, now: SaveBase): SaveBase {
  const frontMatter = { ...old.text.frontMatter };
  for (const { file } of fieldsOfKinds("relation", "day"))
    setOrDeleteField(frontMatter, file, now.text.frontMatter[file]);
  return { text: { ...old.text, frontMatter }, relations: now.relations, number: now.number };
}
