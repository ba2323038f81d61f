import type { Actor } from "#core/permissions/actor.ts";
import { can, mayReadVersion } from "#core/permissions/can.ts";
import { createAnchor, type CommentAnchor } from "#core/comments/anchor.ts";
import {
  commentAudienceOf,
  mayEditComment,
  mayReadThread,
  mayRemoveComment,
  mayResolveThread,
} from "#core/comments/rules.ts";
import type { CommentCreate } from "#core/comments/schema.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, CommentDocument, SopDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { PlainAction } from "../effects/events.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { loadVisibleSop } from "../sops/view/load.ts";
import { versionNumberInView } from "../sops/view/present.ts";
import type { View } from "../sops/list/visible.ts";
import { loadThreadReaders, loadUsersMentionedIn, notifyPeopleOfComment, type FirstComment } from "./people.ts";
import { presentComments, loadAnchorText } from "./present.ts";
import { sentences } from "#core/language/catalog.ts";

const refusals = sentences("server.comments.refusals", {
  wordsMissing: "This version doesn't contain these words",
  wordsGone: "The SOP no longer contains these words",
  otherVersion: "This SOP is now at version {version}",
  unknownVersion: "This version is not known",
  unknownThread: "This thread doesn't exist",
  tooMany: "An SOP has at most {comments} comments: remove some first",
});

type CommentCall = SignedInCall & { params: { id: string } };
type OneCommentCall = SignedInCall & { params: { id: string; commentId: string } };
type Tx = Transaction<Collections>;

interface SopInView {
  sop: SopDocument;
  view: View;
}

const attempts = 3;

export function commentHandlers(services: Services): Handlers<"comments"> {
  const { db, clock } = services;

  async function presentComment({ identity }: SignedInCall, { sop, view }: SopInView, comment: CommentDocument) {
    const [presented] = await presentComments(services, identity.actor, sop, view, [comment]);
    if (!presented) throw new Error("one comment makes one answer");
    return presented;
  }

  /**
   * Changes a comment in one transaction: loads the comment, checks the permission, runs `act`, and records the change.
   * `act` returns null when nothing changes.
   */
  function changeComment(
    call: OneCommentCall,
    may: (actor: Actor, sop: SopDocument, comment: CommentDocument) => boolean,
    act: (
      tx: Tx,
      comment: CommentDocument,
      seen: SopInView & { opener: FirstComment },
      at: string,
    ) => Promise<CommentChange | null>,
  ): Promise<SopInView & { comment: CommentDocument }> {
    const { actor } = call.identity;
    const at = clock.now();
    return transactionFor(db, actor.companyId, async (tx) => {
      const seen = await loadVisibleSop({ db: tx }, actor, call.params.id);
      const comment = await commentsCollection(tx, actor).findOne({ _id: call.params.commentId, sopId: seen.sop._id });
      const opener = comment && (await loadThreadOpener(tx, actor, comment));
      if (!comment || !opener || !mayReadThread(actor, seen.sop, opener)) throw new AppError("not_found");
      if (!may(actor, seen.sop, comment)) throw new AppError("forbidden");
      const done = await act(tx, comment, { ...seen, opener }, at);
      if (done) await recordComment(tx, call, seen.sop, opener, done, at);
      return { ...seen, comment: done?.comment ?? comment };
    });
  }

  return {
    async list({ identity, params }) {
      const { actor } = identity;
      const { sop, view } = await loadVisibleSop(services, actor, params.id);
      const shown = view === "latest" ? {} : ({ audience: "readers" } as const);
      const comments = await commentsCollection(db, actor).find(
        { sopId: sop._id, ...shown },
        { sort: { createdAt: 1, _id: 1 }, limit: limits.comments },
      );
      return presentComments(services, actor, sop, view, visibleComments(actor, sop, comments));
    },

    async people({ identity, params }) {
      const { actor } = identity;
      const { sop, view } = await loadVisibleSop(services, actor, params.id);
      if (!can(actor, "sop.comment", sop)) throw new AppError("forbidden");
      const version = versionNumberInView(sop, view);
      const opener = { version, audience: commentAudienceOf(version, sop) };
      // users who can't share a restricted SOP must not learn who has access: they can only mention people who already
      // appear on it
      const known =
        sop.restricted && !can(actor, "sop.share", sop) ? { _id: { $in: await loadPeopleShownOn(sop, view) } } : {};
      const people = await loadThreadReaders(db, sop, opener, known, clock.now());
      return people
        .filter(({ _id }) => _id !== actor.userId)
        .map(({ _id, name, username, initials }) => ({ id: _id, name, username, initials }));
    },

    async create(call) {
      const { actor } = call.identity;
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const at = clock.now();
        const before = await loadVisibleSop(services, actor, call.params.id);
        if (!can(actor, "sop.comment", before.sop)) throw new AppError("forbidden");
        assertVersionCurrent(before, call.ifMatch);
        const version = commentedVersion(actor, before, call.body);
        const anchor = call.body.anchor
          ? await createCommentAnchor(actor, before.sop, version, call.body.anchor)
          : null;
        const made = await transactionFor(db, actor.companyId, (tx) => writeComment(tx, call, { version, anchor, at }));
        if (made) return presentComment(call, made, made.comment);
      }
      throw new AppError("busy");
    },

    async update(call) {
      const changed = await changeComment(call, mayEditComment, async (tx, comment, { sop, opener }, at) => {
        const { content } = call.body;
        if (content === comment.content) return null;
        const mentions = await loadUsersMentionedIn(tx, sop, opener, content, at);
        const change = { content, mentions, editedAt: at, updatedAt: at } satisfies Partial<CommentDocument>;
        const after = { ...comment, ...change };
        await commentsCollection(tx, call.identity.actor).updateOne({ _id: comment._id }, { $set: change });
        const known = new Set(comment.mentions.map(({ id }) => id));
        const mentioned = mentions.flatMap(({ id }) => (known.has(id) ? [] : [id]));
        await notifyPeopleOfComment(
          tx,
          { sop, comment: after, opener, thread: [], mentioned, actor: call.identity.user, at },
          false,
        );
        return {
          comment: after,
          action: "sop.comment_edit",
          changes: { content: { from: comment.content, to: content } },
        };
      });
      return presentComment(call, changed, changed.comment);
    },

    async remove(call) {
      await changeComment(call, mayRemoveComment, async (tx, comment, _seen, at) => {
        await removeComment(tx, call.identity.actor, comment, at);
        const after = { ...comment, content: "", mentions: [], removedAt: at };
        const changes = { content: { from: comment.content, to: null } };
        return { comment: after, action: "sop.comment_remove", changes };
      });
      return { ok: true };
    },

    async resolve(call) {
      const { user } = call.identity;
      const changed = await changeComment(call, mayResolveThread, async (tx, comment, _seen, at) => {
        const { resolved } = call.body;
        if (resolved === (comment.resolvedAt !== null)) return null;
        const resolvedBy = resolved ? { id: user._id, name: user.name, username: user.username } : null;
        const state = {
          resolvedAt: resolved ? at : null,
          resolvedBy,
          updatedAt: at,
        } satisfies Partial<CommentDocument>;
        await commentsCollection(tx, call.identity.actor).updateOne({ _id: comment._id }, { $set: state });
        const action = resolved ? "sop.comment_resolve" : "sop.comment_reopen";
        return { comment: { ...comment, ...state }, action, changes: {} };
      });
      return presentComment(call, changed, changed.comment);
    },
  };

  async function createCommentAnchor(
    actor: Actor,
    sop: SopDocument,
    version: number,
    chosen: NonNullable<CommentCreate["anchor"]>,
  ): Promise<CommentAnchor> {
    const { block, quote, start } = chosen;
    const anchor = createAnchor(await loadAnchorText(services, actor, sop, version), {
      block,
      quote,
      ...(start === undefined ? {} : { start }),
    });
    if (anchor) return anchor;
    throw new AppError("invalid_input", refusals.wordsGone(), {
      anchor: refusals.wordsMissing(),
    });
  }

  /**
   * Stores a comment and notifies people.
   * @returns null if the published version has changed since the quoted words were found in it
   */
  async function writeComment(
    tx: Tx,
    call: CommentCall & { body: CommentCreate },
    { version, anchor, at }: { version: number; anchor: CommentAnchor | null; at: string },
  ): Promise<(SopInView & { comment: CommentDocument }) | null> {
    const { actor, user } = call.identity;
    const { content } = call.body;
    const seen = await loadVisibleSop({ db: tx }, actor, call.params.id);
    const { sop, view } = seen;
    if (!can(actor, "sop.comment", sop)) throw new AppError("forbidden");
    if (commentedVersion(actor, seen, call.body) !== version) return null;
    const comments = commentsCollection(tx, actor);
    const parent = await loadThreadToReplyTo(tx, actor, seen, call.body.parentId ?? null);
    await assertRoomForComment(tx, actor, sop._id);
    const opener = parent ?? { version, audience: commentAudienceOf(version, sop) };
    const { audience } = opener;
    const comment: CommentDocument = {
      _id: newId(),
      companyId: actor.companyId,
      sopId: sop._id,
      parentId: parent?._id ?? null,
      version,
      audience,
      anchor: parent ? null : anchor,
      content,
      mentions: await loadUsersMentionedIn(tx, sop, opener, content, at),
      userId: user._id,
      authorName: user.name,
      authorUsername: user.username,
      authorInitials: user.initials,
      createdAt: at,
      updatedAt: at,
      editedAt: null,
      removedAt: null,
      resolvedAt: null,
      resolvedBy: null,
    };
    const thread = parent
      ? await comments.find({ $or: [{ _id: parent._id }, { parentId: parent._id }], removedAt: null })
      : [];
    await comments.insertOne(comment);
    const mentioned = comment.mentions.map(({ id }) => id);
    await notifyPeopleOfComment(tx, { sop, comment, opener, thread, mentioned, actor: user, at }, true);
    await recordComment(
      tx,
      call,
      sop,
      opener,
      { comment, action: "sop.comment", changes: {}, textBytes: utf8Length(content) },
      at,
    );
    return { sop, view, comment };
  }

  /** Loads the ids of the owner, the author, and the authors of comments that a user with this view can see. */
  async function loadPeopleShownOn(sop: SopDocument, view: View): Promise<string[]> {
    const shown = view === "latest" ? {} : ({ audience: "readers" } as const);
    const comments = await db
      .forCompany(sop.companyId)
      .collection("comments")
      .find({ sopId: sop._id, ...shown }, { projection: { userId: 1 }, limit: limits.comments });
    return [...new Set([sop.ownerId, sop.authorId, ...comments.map(({ userId }) => userId)])].filter(
      (id) => id !== null,
    );
  }
}

interface CommentChange {
  comment: CommentDocument;
  action: PlainAction;
  changes: Record<string, unknown>;
  /** The size of a new comment's text in bytes; absent for other changes. */
  textBytes?: number;
}

function commentsCollection(store: Tx, { companyId }: Actor) {
  return store.forCompany(companyId).collection("comments");
}

/**
 * Refuses a request about a stale version. The error names the version that the user sees, so that readers don't learn
 * of later drafts.
 */
function assertVersionCurrent({ sop, view }: SopInView, ifMatch: number | null): void {
  const version = versionNumberInView(sop, view);
  if (ifMatch === null || ifMatch === version) return;
  throw new AppError("stale", refusals.otherVersion({ version }), { version });
}

/** Returns the version to comment on. Readers always comment on the published version. */
function commentedVersion(actor: Actor, { sop, view }: SopInView, { version }: CommentCreate): number {
  const seen = versionNumberInView(sop, view);
  if (version === undefined || view === "published") return seen;
  if (version > sop.version || !mayReadVersion(actor, sop, version)) {
    throw new AppError("invalid_input", refusals.unknownVersion(), { version: refusals.unknownVersion() });
  }
  return version;
}

/**
 * Loads the thread to reply to.
 * @throws AppError invalid_input unless the comment opens a thread of this SOP that the actor can read
 */
async function loadThreadToReplyTo(tx: Tx, actor: Actor, { sop }: SopInView, parentId: string | null) {
  if (parentId === null) return null;
  const parent = await commentsCollection(tx, actor).findOne({ _id: parentId, sopId: sop._id });
  if (parent && parent.parentId === null && mayReadThread(actor, sop, parent)) return parent;
  const message = refusals.unknownThread();
  throw new AppError("invalid_input", message, { parentId: message });
}

/**
 * Returns the comments that the actor can see. A reply is visible if its thread is, even if it was made on another
 * version.
 */
function visibleComments(actor: Actor, sop: SopDocument, comments: readonly CommentDocument[]): CommentDocument[] {
  const openers = new Map(comments.map((comment) => [comment._id, comment]));
  return comments.filter((one) => mayReadThread(actor, sop, openers.get(one.parentId ?? one._id) ?? one));
}

async function loadThreadOpener(tx: Tx, actor: Actor, comment: CommentDocument): Promise<FirstComment> {
  const { parentId } = comment;
  return parentId === null ? comment : ((await commentsCollection(tx, actor).findOne({ _id: parentId })) ?? comment);
}

async function assertRoomForComment(tx: Tx, actor: Actor, sopId: string): Promise<void> {
  const taken = await commentsCollection(tx, actor).countDocuments({ sopId }, { limit: limits.comments });
  if (taken >= limits.comments) {
    throw new AppError("conflict", refusals.tooMany({ comments: limits.comments }));
  }
}

/**
 * Empties the text of a comment that has replies, and deletes any other comment. When the last reply is deleted, an
 * emptied comment is deleted too.
 */
async function removeComment(tx: Tx, actor: Actor, comment: CommentDocument, at: string): Promise<void> {
  const comments = commentsCollection(tx, actor);
  const isThread = comment.parentId === null && (await comments.findOne({ parentId: comment._id })) !== null;
  if (isThread) {
    await comments.updateOne(
      { _id: comment._id },
      { $set: { content: "", mentions: [], removedAt: at, updatedAt: at } },
    );
    return;
  }
  await comments.deleteOne({ _id: comment._id });
  if (comment.parentId === null || (await comments.findOne({ parentId: comment.parentId }))) return;
  await comments.deleteOne({ _id: comment.parentId, removedAt: { $ne: null } });
}

/** Records the change of a comment. Only users who can see the thread get an event. */
async function recordComment(
  tx: Tx,
  call: SignedInCall,
  sop: SopDocument,
  opener: FirstComment,
  { comment, action, changes, textBytes = 0 }: CommentChange,
  at: string,
): Promise<void> {
  await recordChange(
    tx,
    call,
    {
      companyId: sop.companyId,
      at,
      counts: textBytes > 0 ? { textBytes } : {},
      hears: {
        resources: ["comments"],
        about: [{ id: sop._id, readersSee: comment.audience === "readers" }],
        version: opener.version,
      },
    },
    {
      action,
      entityType: "sop",
      entityId: sop._id,
      changes: { commentId: comment._id, version: comment.version, audience: comment.audience, ...changes },
    },
  );
}
