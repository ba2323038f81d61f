import { z } from "zod";
import { Done } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { AuthCheck, Login, Register, Setup, SignedIn } from "./schema.ts";

export const authSchemas = schemaGroup({
  check: { output: AuthCheck },
  me: { output: SignedIn },
  login: { body: Login, output: SignedIn },
  register: { body: Register, output: SignedIn },
  logout: { body: z.strictObject({}).default({}), output: Done },
  setup: { body: Setup, output: SignedIn },
});
