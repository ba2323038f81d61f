/** The state of the whole log, for the administrators' page. */
import type { z } from "zod";
import type { AuditState } from "#core/audit/schema.ts";
import type { Services } from "../http/services.ts";
import { genesisOf, headOf } from "./chain.ts";
import { lastCheckpoint } from "./checkpoints.ts";
import { lastVerification } from "./verify-daily.ts";

export async function auditState({ db, keys }: Services, companyId: string): Promise<z.input<typeof AuditState>> {
  const store = db.forCompany(companyId);
  const [head, waiting, checkpoint, verification] = await Promise.all([
    headOf(store, genesisOf(companyId, null)),
    store.collection("audit_logs").countDocuments({ pending: true }),
    lastCheckpoint(store),
    lastVerification(db, companyId),
  ]);
  const { kid, publicKeyPem } = keys.signing();
  return { seq: head.seq, waiting, checkpoint, key: { kid, publicKeyPem }, verification };
}
