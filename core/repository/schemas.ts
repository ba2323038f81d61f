import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

export const RepositoryState = z
  .object({
    main: z.string().nullable(),
    history: z.string().nullable(),
    /** Events saved and not committed yet. */
    lag: z.int(),
    seq: z.int(),
  })
  .meta({ id: "RepositoryState" });

export const repositorySchemas = schemaGroup({
  get: {
    summary: "Where the company's repository stands: heads and what is still to be committed",
    output: RepositoryState,
  },
});
