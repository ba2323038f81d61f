import { z } from "zod";
import { Id, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { presenceStates } from "./rules.ts";

/** `tab` is an id that the page makes itself, a new one each time the screen is opened. */
const PresenceSet = z.strictObject({ tab: Id, state: z.enum(presenceStates) }).meta({ id: "PresenceSet" });

const Presence = z
  .object({
    /** The other users who edit the SOP, in the order in which they began. */
    people: z.array(z.object({ id: z.string(), name: z.string(), initials: z.string() })),
    /** The tabs in which the user has the edit screen open. */
    ownTabs: z.array(z.string()),
  })
  .meta({ id: "Presence" });
export type Presence = z.output<typeof Presence>;

export const presenceSchemas = schemaGroup({
  list: {
    summary: "List who is editing this SOP, for people who can see its draft; and your other tabs with it",
    params: IdParams,
    output: Presence,
  },
  announce: {
    summary: "Report every 20 s that a tab has the edit screen open, in the background, or closed",
    params: IdParams,
    body: PresenceSet,
    output: Presence,
  },
});
