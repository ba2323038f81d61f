/** Teams (`docs/spec/entities.md`) with an owner and members. Leads can edit their own team. */
import { z } from "zod";
import { ServerOwned, Time } from "../contract/parts.ts";
import { displayNameSchema } from "../contract/shown-name.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.teams.schema", {
  name: "Team name must be at least 2 characters",
});

const teamRoles = ["member", "lead"] as const;
export type TeamRole = (typeof teamRoles)[number];

export const Team = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    ownerId: z.string(),
    ownerName: z.string(),
    memberCount: z.int(),
    /**
     * `mayWrite` tells whether the user can change the team and its members; `mayDelete`: delete it or change its
     * owner.
     */
    mayWrite: z.boolean(),
    mayDelete: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: "Team" });
export type Team = z.output<typeof Team>;

const name = displayNameSchema(refusals.name, 2).max(80);
const description = z.string().trim().max(500).nullish();
const person = z.string().min(1).max(100);

const serverOwned = {
  id: ServerOwned.text,
  slug: ServerOwned.text,
  ownerName: ServerOwned.text,
  memberCount: ServerOwned.number,
  mayWrite: ServerOwned.flag,
  mayDelete: ServerOwned.flag,
  createdAt: ServerOwned.text,
  updatedAt: ServerOwned.text,
};

/** A new team. Its creator becomes the owner, unless the request names one. */
export const TeamCreate = z
  .strictObject({ ...serverOwned, name, description, ownerId: person.optional() })
  .meta({ id: "TeamCreate" });

export const TeamUpdate = z
  .strictObject({ ...serverOwned, name: name.optional(), description, ownerId: person.optional() })
  .meta({ id: "TeamUpdate" });

export const TeamMember = z
  .object({
    userId: z.string(),
    name: z.string(),
    initials: z.string(),
    role: z.enum(teamRoles),
    joinedAt: Time,
  })
  .meta({ id: "TeamMember" });
export type TeamMember = z.output<typeof TeamMember>;

export const TeamMemberAdd = z
  .strictObject({ userId: person, role: z.enum(teamRoles).default("member") })
  .meta({ id: "TeamMemberAdd" });

export const TeamMemberParams = z.strictObject({ id: z.string().min(1).max(100), userId: person });

/** The numbers of SOPs and of categories that lost their team. */
export const TeamRemoved = z
  .object({ ok: z.literal(true), sops: z.int(), categories: z.int() })
  .meta({ id: "TeamRemoved" });
