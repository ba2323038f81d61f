/** Converts comments to answers of the API, each with its anchor in the version that the user reads. */
import type { Actor } from "#core/permissions/actor.ts";
import { createAnchorText, findAnchoredRange, type CommentAnchor, type AnchorText } from "#core/comments/anchor.ts";
import { blocksOfHtml } from "#core/comments/blocks.ts";
import { mayEditComment, mayRemoveComment, mayResolveThread } from "#core/comments/rules.ts";
import type { Comment } from "#core/comments/schema.ts";
import type { CommentDocument, SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { withVisibleTitles } from "../sops/links/titles.ts";
import { versionNumberInView } from "../sops/view/present.ts";
import { loadVersionText } from "../sops/view/version-text.ts";
import type { View } from "../sops/list/visible.ts";

export async function presentComments(
  services: Pick<Services, "db" | "render">,
  actor: Actor,
  sop: SopDocument,
  view: View,
  comments: readonly CommentDocument[],
): Promise<Comment[]> {
  const isAnchored = comments.some(({ anchor }) => anchor !== null);
  const text = isAnchored ? await loadAnchorText(services, actor, sop, versionNumberInView(sop, view)) : null;
  return comments.map((comment) => presentComment(actor, sop, comment, text));
}

/** Loads the text of a version in which anchors are searched, with titles of linked SOPs as the actor sees them. */
export async function loadAnchorText(
  { db, render }: Pick<Services, "db" | "render">,
  actor: Actor,
  sop: SopDocument,
  version: number,
): Promise<AnchorText> {
  const { markdown, sopLinks } = await loadVersionText({ db }, sop, version);
  const html = await withVisibleTitles({ db }, actor, await render.render(markdown), sopLinks);
  return createAnchorText(blocksOfHtml(html));
}

function presentComment(actor: Actor, sop: SopDocument, comment: CommentDocument, text: AnchorText | null): Comment {
  const facts = { userId: comment.userId, parentId: comment.parentId, removedAt: comment.removedAt };
  return {
    id: comment._id,
    sopId: comment.sopId,
    parentId: comment.parentId,
    version: comment.version,
    audience: comment.audience,
    anchor: comment.anchor && text ? presentAnchor(comment.anchor, text) : null,
    content: comment.content,
    userId: comment.userId,
    mentions: comment.mentions,
    author: {
      id: comment.userId,
      name: comment.authorName,
      username: comment.authorUsername,
      initials: comment.authorInitials,
    },
    isResolved: comment.resolvedAt !== null,
    createdAt: comment.createdAt,
    updatedAt: comment.updatedAt,
    editedAt: comment.editedAt,
    removedAt: comment.removedAt,
    resolvedAt: comment.resolvedAt,
    resolvedBy: comment.resolvedBy,
    mayEdit: mayEditComment(actor, sop, facts),
    mayResolve: mayResolveThread(actor, sop, facts),
    mayRemove: mayRemoveComment(actor, sop, facts),
  };
}

function presentAnchor(anchor: CommentAnchor, text: AnchorText): Comment["anchor"] {
  const { block, quote, start } = anchor;
  const place = findAnchoredRange(text, anchor);
  return place
    ? { ...place, quote, orphaned: false }
    : { block, quote, start, end: start + quote.length, orphaned: true };
}
