import { z } from "zod";
import { Id, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { presenceStates } from "./rules.ts";

/** `tab`: an id the page made for itself, another one each time the screen is opened. */
const PresenceSet = z.strictObject({ tab: Id, state: z.enum(presenceStates) }).meta({ id: "PresenceSet" });

const Presence = z
  .object({
    /** Others, who came first first. */
    people: z.array(z.object({ id: z.string(), name: z.string(), initials: z.string() })),
    /** Tabs in which the asker has the edit screen open. */
    ownTabs: z.array(z.string()),
  })
  .meta({ id: "Presence" });
export type Presence = z.output<typeof Presence>;

export const presenceSchemas = schemaGroup({
  list: {
    summary: "Who is editing this SOP right now, for who sees its draft; in which other tabs the asker does",
    params: IdParams,
    output: Presence,
  },
  announce: {
    summary: "A browser's tab has the edit screen open, has it behind something else, or closed it; again every 20 s",
    params: IdParams,
    body: PresenceSet,
    output: Presence,
  },
});
