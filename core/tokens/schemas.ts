import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { TokenCreate, TokenCreated, TokenRow } from "./schema.ts";

export const tokenSchemas = schemaGroup({
  list: { output: z.array(TokenRow) },
  create: { body: TokenCreate, output: TokenCreated },
  revoke: { params: IdParams, output: Done },
});
