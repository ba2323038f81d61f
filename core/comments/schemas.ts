import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Comment, CommentCreate, CommentParams, CommentPerson, CommentResolve, CommentUpdate } from "./schema.ts";

export const commentSchemas = schemaGroup({
  list: { params: IdParams, output: z.array(Comment) },
  create: { params: IdParams, body: CommentCreate, output: Comment },
  people: { params: IdParams, output: z.array(CommentPerson) },
  update: { params: CommentParams, body: CommentUpdate, output: Comment },
  remove: { params: CommentParams, output: Done },
  resolve: { params: CommentParams, body: CommentResolve, output: Comment },
});
