/** Groups the server's flat list of comments into threads. */
import type { Comment } from "#core/comments/schema.ts";

export interface CommentThread {
  id: string;
  first: Comment;
  replies: readonly Comment[];
  isOpen: boolean;
}

export function commentThreadsOf(comments: readonly Comment[]): CommentThread[] {
  const replies = new Map<string, Comment[]>();
  for (const comment of comments) {
    if (comment.parentId === null) continue;
    const list = replies.get(comment.parentId);
    if (list) list.push(comment);
    else replies.set(comment.parentId, [comment]);
  }
  return comments
    .filter(({ parentId }) => parentId === null)
    .map((first) => ({ id: first.id, first, replies: replies.get(first.id) ?? [], isOpen: first.resolvedAt === null }));
}
