/** Lists comments that wait for an answer of the user. */
import { mayReadThread } from "#core/comments/rules.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { can } from "#core/permissions/can.ts";
import type { Needs } from "#core/stats/schemas.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { CommentDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { visibleSopName } from "./named.ts";

const noticesRead = 100;
const charactersShown = 120;

/**
 * Lists unanswered threads, found by the user's notifications. Only threads whose last comment is by another user wait
 * for an answer.
 */
export async function findUnansweredThreads({ db }: Pick<Services, "db">, actor: Actor): Promise<Needs["replies"]> {
  const company = db.forCompany(actor.companyId);
  const notices = await company
    .collection("notifications")
    .find({ userId: actor.userId }, { sort: { createdAt: -1, _id: -1 }, limit: noticesRead });
  const threadIds = new Set<string>();
  for (const { kind, detail } of notices) {
    const { threadId } = detail;
    if ((kind === "comment" || kind === "mention") && typeof threadId === "string") threadIds.add(threadId);
  }
  if (threadIds.size === 0) return [];
  const ids = [...threadIds];
  const comments = company.collection("comments");
  const [openers, answers] = await Promise.all([
    comments.find({ _id: { $in: ids } }),
    comments.find({ parentId: { $in: ids } }, { sort: { createdAt: 1, _id: 1 } }),
  ]);
  const last = new Map<string, CommentDocument>();
  for (const one of [...openers, ...answers]) if (one.removedAt === null) last.set(one.parentId ?? one._id, one);
  const open = openers.filter(({ _id, resolvedAt }) => {
    const word = last.get(_id);
    return resolvedAt === null && word !== undefined && word.userId !== actor.userId;
  });
  const sops = await company.collection("sops").find({ _id: { $in: [...new Set(open.map(({ sopId }) => sopId))] } });
  const byId = new Map(sops.map((sop) => [sop._id, sop]));
  return open
    .flatMap((opener) => {
      const [sop, word] = [byId.get(opener.sopId), last.get(opener._id)];
      if (!sop || !word || !can(actor, "sop.comment", sop) || !mayReadThread(actor, sop, opener)) return [];
      const named = visibleSopName(actor, sop);
      const comment = word.content.slice(0, charactersShown);
      return named
        ? [
            {
              sop: named,
              commentId: word._id,
              by: printedName({ name: word.authorName, username: word.authorUsername }),
              comment,
              at: word.createdAt,
            },
          ]
        : [];
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}
