/** What the rules of `sop lint` find in a text, asked of the server (docs/decisions/0021). */
import { queryOptions } from "@tanstack/react-query";
import type { AppClient, Input } from "../../api.ts";

/** @returns the findings, with the text they were found in */
export const textCheck = (client: AppClient, body: Input<"sops", "check">["body"]) =>
  queryOptions({
    queryKey: ["check", body],
    queryFn: async ({ signal }) => ({ ...(await client.sops.check({ body, signal })), markdown: body.markdown }),
    gcTime: 0,
  });
