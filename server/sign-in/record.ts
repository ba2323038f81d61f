import { printedName } from "#core/users/printed-name.ts";
import { recordAudit, type AuditEntry } from "../audit/record.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import type { Origin } from "../http/call.ts";

export interface AccountEvent {
  user: Pick<UserDocument, "_id" | "companyId" | "name">;
  action: `account.${string}`;
  at: string;
  origin: Origin | null;
  changes?: Record<string, unknown>;
  /** True if the operator did it outside the server, so that the audit entry names no user. */
  byOperator?: boolean | undefined;
}

/** Records an action on a user's own account, by the user, a stranger or the operator. */
export function recordAccountEvent(store: Store<Collections>, event: AccountEvent): Promise<void> {
  return recordAudit(store, auditEntryOfAccount(event));
}

function auditEntryOfAccount({ user, byOperator = false, ...event }: AccountEvent): AuditEntry {
  return {
    companyId: user.companyId,
    userId: byOperator ? null : user._id,
    userName: byOperator ? null : printedName(user),
    entityType: "user",
    entityId: user._id,
    ...event,
  };
}
