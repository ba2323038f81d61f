import { z } from "zod";
import { roles } from "../permissions/roles.ts";
import { accountRefusals, email } from "../users/account-names.ts";
import { Paging, Time, sentenceError } from "../contract/parts.ts";
import { unsentReasons } from "../users/schema.ts";
import { invitationDays } from "./rules.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.invitations.schema", {
  wholeDays: "Enter a whole number of days",
  leastDays: "An invitation is valid for at least 1 day",
  mostDays: "An invitation is valid for at most {most} days",
});

export const Invitation = z
  .object({
    id: z.string(),
    role: z.enum(roles),
    email: z.string().nullable(),
    state: z.enum(["pending", "used", "revoked", "expired"]),
    invitedBy: z.string(),
    invitedByName: z.string(),
    usedByName: z.string().nullable(),
    usedAt: Time.nullable(),
    revokedAt: Time.nullable(),
    expiresAt: Time,
    createdAt: Time,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.output<typeof Invitation>;

/**
 * A new invitation with its link, which is shown only once. `unsent` says why no email was sent; `replaced` means that
 * an earlier link for the address no longer works.
 */
export const InvitationCreated = Invitation.extend({
  link: z.string(),
  replaced: z.literal(true).optional(),
  unsent: z.enum(unsentReasons).optional(),
}).meta({ id: "InvitationCreated" });

const address = z.union([z.literal(""), email], sentenceError(accountRefusals.email));
const days = z
  .int(sentenceError(refusals.wholeDays))
  .min(1, sentenceError(refusals.leastDays))
  .max(
    invitationDays.atMost,
    sentenceError(() => refusals.mostDays({ most: invitationDays.atMost })),
  );

export const InvitationCreate = z
  .strictObject({
    role: z.enum(roles).default("viewer"),
    email: address.nullish(),
    expiresInDays: days.default(invitationDays.default),
  })
  .meta({ id: "InvitationCreate" });

export const InvitationQuery = z.strictObject({ ...Paging });

export const InvitationForm = z.object({ role: z.enum(roles), email: address, expiresInDays: days });
export type InvitationForm = z.output<typeof InvitationForm>;
