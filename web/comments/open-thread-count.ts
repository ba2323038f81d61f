import type { Output } from "../api.ts";

/** Counts the open threads; 0 while the comments load. */
export function openThreadCount(comments: Output<"comments", "list"> | undefined): number {
  return comments?.filter(({ parentId, resolvedAt }) => parentId === null && resolvedAt === null).length ?? 0;
}
