/** Asks the server for the findings of `sop lint` in a text (docs/decisions/0007). */
import { queryOptions } from "@tanstack/react-query";
import { fieldsOfKinds } from "#core/sop-fields.ts";
import type { Sop } from "#core/sops/schema.ts";
import type { AppClient, Input } from "../../api.ts";

type TextToCheck = Input<"sops", "check">["body"];
const checkedFields = fieldsOfKinds("text", "day", "flag").map(({ name }) => name);

export function textToCheck(values: Pick<Sop, "markdown" | "title" | "description" | (typeof checkedFields)[number]>) {
  const { markdown, title, description } = values;
  const rest = checkedFields.map((name) => [name, values[name] ?? ""]);
  return { markdown, title, description, ...Object.fromEntries(rest) } as TextToCheck;
}

/** @returns the findings and the text that was checked */
export const textCheckQuery = (client: AppClient, body: TextToCheck) =>
  queryOptions({
    queryKey: ["check", body],
    queryFn: async ({ signal }) => ({ ...(await client.sops.check({ body, signal })), markdown: body.markdown }),
    gcTime: 0,
  });
