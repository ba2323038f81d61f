/** What is asked when a version goes to readers: when it is published, or submitted for approval. */
import { z } from "zod";
import { DayInput } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { changeClasses } from "./control.ts";

export const PublicationFields = z.object({
  /** Readers get all changes since the last published version: `major` asks them to confirm again. */
  changeClass: z.enum(changeClasses).optional(),
  /** A day; null: right away. Left out, the file's own date counts. */
  effectiveAt: DayInput.nullish(),
});

export const PublishAsk = z
  .strictObject({ changeNote: z.string().max(limits.noteCharacters).nullish(), ...PublicationFields.shape })
  .default({});
export type PublishAsk = z.output<typeof PublishAsk>;
