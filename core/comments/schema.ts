/** Comments on an SOP: threads of one level, anchored to a block with a quote (`docs/spec/entities.md`). */
import { z } from "zod";
import { Id, missingValueError, Time, sentenceError } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.comments.schema", {
  content: "Write a comment first",
  replyAnchor: "A reply has the words of its thread. Quote no others",
  longContent: "A comment can have at most {most, number} characters",
});

/** The people who see a thread. `head`: people who can see the draft; `readers`: everyone who can see the SOP. */
const commentAudiences = ["head", "readers"] as const;
export type CommentAudience = (typeof commentAudiences)[number];

const Person = z.object({ id: z.string(), name: z.string() });

/**
 * The place of a comment in the version that the user reads. `start` and `end` are offsets in the text of `block`, with
 * words separated by single spaces. An end beyond the block lies in the next ones. A comment whose place is gone only
 * has its quote.
 */
const AnchorPlace = z.object({
  block: z.string(),
  quote: z.string(),
  start: z.int(),
  end: z.int(),
  orphaned: z.boolean(),
});

export const Comment = z
  .object({
    id: Id,
    sopId: Id,
    parentId: z.string().nullable(),
    /** The version that the comment was written on. */
    version: z.int(),
    audience: z.enum(commentAudiences),
    anchor: AnchorPlace.nullable(),
    /** Plain text; empty once the comment was removed. */
    content: z.string(),
    userId: z.string(),
    mentions: z.array(Person.extend({ username: z.string() })),
    author: Person.extend({ username: z.string().optional(), initials: z.string() }),
    isResolved: z.boolean(),
    createdAt: Time,
    /** The time of the last edit, resolution, reopening or removal; at first, the time of creation. */
    updatedAt: Time,
    editedAt: Time.nullable(),
    /** The time of the removal. A removed comment with replies stays in the list, without its text. */
    removedAt: Time.nullable(),
    resolvedAt: Time.nullable(),
    resolvedBy: Person.extend({ username: z.string().optional() }).nullable(),
    mayEdit: z.boolean(),
    mayResolve: z.boolean(),
    mayRemove: z.boolean(),
  })
  .meta({ id: "Comment" });
export type Comment = z.output<typeof Comment>;

const content = z
  .string(missingValueError(refusals.content))
  .transform((text) => text.replace(/\r\n?/g, "\n").trim())
  .pipe(
    z
      .string()
      .min(1, sentenceError(refusals.content))
      .max(
        limits.commentCharacters,
        sentenceError(() => refusals.longContent({ most: limits.commentCharacters })),
      ),
  );

export const CommentCreate = z
  .strictObject({
    content,
    /** The comment that opened the thread. */
    parentId: z.string().min(1).max(100).nullish(),
    /** The version to comment on; by default the one that the user sees. */
    version: z.int().min(1).optional(),
    /** The quoted words. `start` tells which occurrence in the block is meant. */
    anchor: z
      .strictObject({
        block: z.string().max(100),
        quote: z.string().min(1).max(limits.quoteCharacters),
        start: z.int().min(0).optional(),
      })
      .nullish(),
  })
  .refine(({ parentId, anchor }) => (parentId ?? null) === null || (anchor ?? null) === null, {
    ...sentenceError(refusals.replyAnchor),
    path: ["anchor"],
  })
  .meta({ id: "CommentCreate" });
export type CommentCreate = z.output<typeof CommentCreate>;

export const CommentUpdate = z.strictObject({ content }).meta({ id: "CommentUpdate" });
export const CommentResolve = z.strictObject({ resolved: z.boolean() }).meta({ id: "CommentResolve" });

/** A user that a comment can mention. */
export const CommentPerson = Person.extend({ username: z.string(), initials: z.string() }).meta({
  id: "CommentPerson",
});
export type CommentPerson = z.output<typeof CommentPerson>;

export const CommentParams = z.strictObject({ id: z.string().min(1).max(100), commentId: z.string().min(1).max(100) });
