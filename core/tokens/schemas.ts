import { z } from "zod";
import { Done, IdParams, sentenceError } from "../contract/parts.ts";
import { displayNameSchema } from "../contract/shown-name.ts";
import { schemaGroup } from "../contract/schema.ts";
import { tokenScopes } from "./scopes.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.tokens.schemas", {
  name: "Give the token a name",
  scope: "Choose at least one scope",
});

/**
 * A personal access token (`docs/spec/entities.md`). Tokens have scopes and expire, and their text is shown only once.
 */
const TokenRow = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The first and the last characters of the token, so that its user recognizes it. */
    hint: z.string(),
    scopes: z.array(z.enum(tokenScopes)),
    createdAt: z.string(),
    expiresAt: z.string(),
    /** The time of the latest call with the token; null before the first. */
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: "TokenRow" });

const TokenCreate = z.strictObject({
  name: displayNameSchema(refusals.name).max(80),
  scopes: z.array(z.enum(tokenScopes)).min(1, sentenceError(refusals.scope)).default(["sops:read"]),
  expiresInDays: z.int().min(1).max(365).default(90),
});

const TokenCreated = TokenRow.extend({ token: z.string() }).meta({ id: "TokenCreated" });

export const tokenSchemas = schemaGroup({
  list: { summary: "List your tokens", output: z.array(TokenRow) },
  create: {
    summary: "Create a token, shown once; you need a session, not a token",
    body: TokenCreate,
    output: TokenCreated,
  },
  revoke: { summary: "Revoke a token", params: IdParams, output: Done },
});
