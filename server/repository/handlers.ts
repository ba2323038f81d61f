import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";

export function repositoryHandlers({ repositories }: Services): Handlers<"repository"> {
  return { get: ({ identity }) => repositories.head(identity.actor.companyId) };
}
