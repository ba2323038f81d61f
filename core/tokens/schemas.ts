import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { TokenCreate, TokenCreated, TokenRow } from "./schema.ts";

export const tokenSchemas = schemaGroup({
  list: { summary: "List your tokens", output: z.array(TokenRow) },
  create: {
    summary: "Create a token, shown once; you need a session, not a token",
    body: TokenCreate,
    output: TokenCreated,
  },
  revoke: { summary: "Revoke a token", params: IdParams, output: Done },
});
