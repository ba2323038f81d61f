import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Comment, CommentCreate, CommentParams, CommentPerson, CommentResolve, CommentUpdate } from "./schema.ts";

export const commentSchemas = schemaGroup({
  list: {
    summary: "List the comments that you can see, oldest first; comments on a draft need access to the draft",
    params: IdParams,
    output: z.array(Comment),
  },
  create: {
    summary: "Comment on an SOP or on words of it, or reply; @username notifies people who can see it",
    params: IdParams,
    body: CommentCreate,
    output: Comment,
  },
  people: {
    summary: "List the people that you can mention in a comment",
    params: IdParams,
    output: z.array(CommentPerson),
  },
  update: { summary: "Edit your comment", params: CommentParams, body: CommentUpdate, output: Comment },
  remove: { summary: "Remove a comment; its replies stay", params: CommentParams, output: Done },
  resolve: {
    summary: "Resolve or reopen a thread",
    params: CommentParams,
    body: CommentResolve,
    output: Comment,
  },
});
