/** Records each change as a row in the transaction of the change, so that no change is stored without its row. */
import { newId } from "#core/ids.ts";
import type { AuditDocument, Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import type { Origin } from "../http/call.ts";

export interface AuditEntry {
  companyId: string;
  userId: string | null;
  userName: string | null;
  action: string;
  entityType: string;
  entityId: string | null;
  /** Field → {from, to}, or other facts about the effect, but never secrets. */
  changes?: Record<string, unknown>;
  at: string;
  origin: Origin | null;
}

export async function recordAudit(store: Store<Collections>, entry: AuditEntry): Promise<void> {
  await store.collection("audit_logs").insertOne(auditDocumentOf(entry));
}

export async function recordAudits(store: Store<Collections>, entries: readonly AuditEntry[]): Promise<void> {
  await store.collection("audit_logs").insertMany(entries.map(auditDocumentOf));
}

function auditDocumentOf(entry: AuditEntry): AuditDocument {
  return {
    _id: newId(),
    pending: true,
    companyId: entry.companyId,
    userId: entry.userId,
    userName: entry.userName,
    action: entry.action,
    entityType: entry.entityType,
    entityId: entry.entityId,
    changes: entry.changes ?? null,
    ipAddress: entry.origin?.ipAddress ?? null,
    userAgent: entry.origin?.userAgent ?? null,
    requestId: entry.origin?.requestId ?? null,
    createdAt: entry.at,
  };
}

/** Returns the old and the new value of each field that differs. */
export function changedFieldValues(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, { from: unknown; to: unknown }> {
  const changed: Record<string, { from: unknown; to: unknown }> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) {
      changed[key] = { from: before[key] ?? null, to: after[key] ?? null };
    }
  }
  return changed;
}
