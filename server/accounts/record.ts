import { recordAudit } from "../audit/record.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import type { Origin } from "../http/call.ts";

export interface AccountEvent {
  user: Pick<UserDocument, "_id" | "companyId" | "name">;
  action: `account.${string}`;
  at: string;
  origin: Origin | null;
  changes?: Record<string, unknown>;
}

/** What a user did, or somebody tried, with the user's own account. */
export function recordAccount(store: Store<Collections>, { user, ...event }: AccountEvent): Promise<void> {
  return recordAudit(store, {
    companyId: user.companyId,
    userId: user._id,
    userName: user.name,
    entityType: "user",
    entityId: user._id,
    ...event,
  });
}
