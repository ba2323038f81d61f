import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { TokenCreate, TokenCreated, TokenRow } from "./schema.ts";

export const tokenSchemas = schemaGroup({
  list: { summary: "The asker's own tokens", output: z.array(TokenRow) },
  create: {
    summary: "Make a token: its text is answered once; a token never makes a token",
    body: TokenCreate,
    output: TokenCreated,
  },
  revoke: { summary: "End a token at once", params: IdParams, output: Done },
});
