import type { ServerStatus } from "#core/status/schema.ts";
import type { Handlers } from "../http/call.ts";

export function statusHandlers(status: () => Promise<ServerStatus>): Handlers<"status"> {
  return { get: () => status() };
}
