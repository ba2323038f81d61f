/**
 * Finds the users mentioned in a comment, the users to notify, and the users to suggest. All of them can see the
 * comment.
 */
import { mayReadThread } from "#core/comments/rules.ts";
import { mentionsIn } from "#core/comments/mentions.ts";
import type { Collections, CommentDocument, SopDocument, UserDocument } from "../database/documents.ts";
import type { Filter, Projection, Transaction } from "../database/port.ts";
import { actorOf } from "../http/identify.ts";
import { notifyUsers, type NoticeActor } from "../notifications/notify.ts";

const fields: Projection<UserDocument> = {
  companyId: 1,
  username: 1,
  name: 1,
  initials: 1,
  role: 1,
  teamIds: 1,
  permissions: 1,
};

/** The first comment of a thread decides who sees the whole thread. */
export type FirstComment = Pick<CommentDocument, "audience" | "version">;

/** Loads the active users who match the filter and can see this thread. */
export async function loadThreadReaders(
  store: Transaction<Collections>,
  sop: SopDocument,
  opener: FirstComment,
  filter: Filter<UserDocument>,
  now: string,
): Promise<UserDocument[]> {
  const company = await store.collection("companies").findOne({ _id: sop.companyId });
  if (!company) return [];
  const users = await store
    .forCompany(sop.companyId)
    .collection("users")
    .find({ ...filter, status: "active" }, { sort: { name: 1 }, projection: fields });
  return users.filter((user) => mayReadThread(actorOf(user, company, now), sop, opener));
}

/**
 * Finds the users mentioned in the text. Unknown names, and names of users who can't see the comment, are no mentions.
 */
export async function loadUsersMentionedIn(
  tx: Transaction<Collections>,
  sop: SopDocument,
  opener: FirstComment,
  body: string,
  now: string,
): Promise<CommentDocument["mentions"]> {
  const named = mentionsIn(body).map(({ usernames }) => usernames);
  if (named.length === 0) return [];
  const found = await loadThreadReaders(tx, sop, opener, { username: { $in: [...new Set(named.flat())] } }, now);
  const byName = new Map(found.map((user) => [user.username, user]));
  const meant = named.flatMap((usernames) => {
    const user = usernames.map((username) => byName.get(username)).find((one) => one !== undefined);
    return user ? [user] : [];
  });
  return [...new Set(meant)].map(({ _id, name, username }) => ({ id: _id, name, username }));
}

export interface CommentEvent {
  sop: SopDocument;
  comment: CommentDocument;
  opener: FirstComment;
  /** The other comments in the thread of a new reply; empty for the first comment and for an edited comment. */
  thread: readonly CommentDocument[];
  /** Ids of users whom this comment mentions for the first time. */
  mentioned: readonly string[];
  actor: NoticeActor;
  at: string;
}

/**
 * Sends at most one notification to each user: to mentioned users, and for a new comment also to people of the SOP and
 * the thread.
 */
export async function notifyPeopleOfComment(
  tx: Transaction<Collections>,
  news: CommentEvent,
  isNew: boolean,
): Promise<void> {
  const { sop, comment, opener, thread, actor, at } = news;
  const common = {
    companyId: sop.companyId,
    sopId: sop._id,
    actor,
    detail: {
      commentId: comment._id,
      threadId: comment.parentId ?? comment._id,
      audience: comment.audience,
      version: comment.version,
    },
    at,
  };
  await notifyUsers(tx, { ...common, to: news.mentioned, kind: "mention" });
  if (!isNew) return;
  const concerned = [sop.ownerId, sop.authorId, ...thread.map(({ userId }) => userId)];
  const ids = new Set(concerned.filter((id) => id !== null && id !== actor._id && !news.mentioned.includes(id)));
  if (ids.size === 0) return;
  const readers = await loadThreadReaders(tx, sop, opener, { _id: { $in: [...ids] } }, at);
  await notifyUsers(tx, { ...common, to: readers.map(({ _id }) => _id), kind: "comment" });
}
