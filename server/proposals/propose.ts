/**
 * Texts that come from elsewhere and must wait for a decision, such as changes to a mirror of the repository. A push by
 * its own author makes drafts, and proposes only what can't become one (`server/git/push.ts`).
 */
import { newId } from "#core/ids.ts";
import { ImportRequest, type ImportDocument } from "#core/sops/import-schema.ts";
import { parseInput } from "../http/input-texts.ts";
import type { Services } from "../http/services.ts";
import type { Decided } from "../sops/import/decide.ts";
import { decideAndApply } from "../sops/import/import.ts";
import { storeProposals, type Proposer, type Stored } from "./store.ts";

export type ProposedDocument = { path: string; decided: Decided } & (
  | { outcome: "proposed"; number: number; isOld: boolean }
  | { outcome: "unchanged" }
  | { outcome: "refused"; reason: string }
);

/**
 * @param files at most `limits.importDocuments`; each names its SOP by its id, as files of the repository do
 * @returns a result for each file
 */
export async function proposeDocuments(
  services: Services,
  proposer: Proposer,
  files: readonly ImportDocument[],
): Promise<ProposedDocument[]> {
  const { identity, origin } = proposer;
  const body = parseInput(ImportRequest, { importId: newId(), documents: files, dryRun: true });
  const decided = await decideAndApply(services, {
    identity,
    body,
    origin: origin ?? { requestId: "", ipAddress: null, userAgent: null },
    idempotency: null,
  });
  const stored = await storeProposals(services, proposer, decided.filter(isProposable));
  return decided.map((document) => resultOf(document, stored.get(document)));
}

function isProposable({ outcome, proposable }: Decided): boolean {
  return outcome === "create" || outcome === "update" || proposable === true;
}

function resultOf(decided: Decided, stored: Stored | undefined): ProposedDocument {
  const { path, outcome } = decided;
  if (stored && "refused" in stored) return { path, decided, outcome: "refused", reason: stored.refused };
  if (stored) return { path, decided, outcome: "proposed", ...stored };
  if (outcome === "unchanged" || outcome === "duplicate") return { path, decided, outcome: "unchanged" };
  return { path, decided, outcome: "refused", reason: decided.reason ?? "This document can't be proposed" };
}
