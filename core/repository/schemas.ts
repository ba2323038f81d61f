import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

const RepositoryState = z
  .object({
    main: z.string().nullable(),
    history: z.string().nullable(),
    /** The number of saved events that are not committed yet. */
    lag: z.int(),
    seq: z.int(),
  })
  .meta({ id: "RepositoryState" });

export const repositorySchemas = schemaGroup({
  get: {
    summary: "Get the state of the company's repository: heads and versions not yet committed",
    output: RepositoryState,
  },
});
