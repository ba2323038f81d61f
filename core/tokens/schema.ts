/** Personal access tokens (`docs/spec/entities.md`): shown once, scoped, expiring. */
import { z } from "zod";
import { requiredText } from "../contract/parts.ts";
import { tokenScopes } from "./scopes.ts";

export const TokenRow = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string(),
    scopes: z.array(z.enum(tokenScopes)),
    createdAt: z.string(),
    expiresAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: "TokenRow" });

export const TokenCreate = z.strictObject({
  name: requiredText("Give the token a name").max(80),
  scopes: z.array(z.enum(tokenScopes)).min(1, "Choose at least one scope").default(["sops:read"]),
  expiresInDays: z.int().min(1).max(365).default(90),
  /** Required when the last sign-in is a while ago. */
  currentPassword: z.string().max(1000).optional(),
});

export const TokenCreated = TokenRow.extend({ token: z.string() }).meta({ id: "TokenCreated" });
