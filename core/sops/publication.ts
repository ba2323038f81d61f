/** The fields of a request to publish a version or to submit it for approval. */
import { z } from "zod";
import { DayInput } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { changeClasses } from "./control.ts";

export const PublicationFields = z.object({
  /** The class of all changes since the last published version: with `major`, readers must confirm again. */
  changeClass: z.enum(changeClasses).optional(),
  /** The effective date; null: at once. If absent, the date in the file applies. */
  effectiveAt: DayInput.nullish(),
});

export const PublishAsk = z
  .strictObject({ changeNote: z.string().max(limits.noteCharacters).nullish(), ...PublicationFields.shape })
  .default({});
export type PublishAsk = z.output<typeof PublishAsk>;
