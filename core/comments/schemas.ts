import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Comment, CommentCreate, CommentParams, CommentPerson, CommentResolve, CommentUpdate } from "./schema.ts";

export const commentSchemas = schemaGroup({
  list: {
    summary: "Comments the asker may see, oldest first: those on a draft are for who sees the draft",
    params: IdParams,
    output: z.array(Comment),
  },
  create: {
    summary: "Comment on the SOP, on words of it, or answer a thread; @username tells people who see it",
    params: IdParams,
    body: CommentCreate,
    output: Comment,
  },
  people: { summary: "Whom the asker can name in a comment", params: IdParams, output: z.array(CommentPerson) },
  update: { summary: "Change an own comment", params: CommentParams, body: CommentUpdate, output: Comment },
  remove: { summary: "Remove a comment; under replies its place stays", params: CommentParams, output: Done },
  resolve: {
    summary: "Resolve a thread, or open it again",
    params: CommentParams,
    body: CommentResolve,
    output: Comment,
  },
});
