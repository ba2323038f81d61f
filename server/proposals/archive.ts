/** Proposes to archive the SOPs of files that a push deletes. Users who can archive an SOP decide. */
import { AppError } from "#core/errors.ts";
import { archiveStep } from "#core/life-cycle/archive.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { visibleVersion } from "#core/permissions/can.ts";
import { mayDecideProposal } from "#core/proposals/rules.ts";
import type { Collections, ProposalDocument, SopDocument, SopVersionDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { authorOfChange, changeSop } from "../sops/edit/change.ts";
import { versionNumberInView } from "../sops/view/present.ts";
import { newProposalFields, storeProposalOfEach, type Proposer, type StoredProposal } from "./store.ts";
import { readStoredVersion, type VisibleProposal } from "./view.ts";
import { refusals } from "./refusals.ts";

export interface DeletedFile {
  path: string;
  sopId: string;
}

interface DeletedSop {
  path: string;
  sop: SopDocument;
  stored: SopVersionDocument;
}

/**
 * Stores a proposal for each file that a push deletes.
 * @returns the SOP's number and the stored proposal, by path. Leaves out a file whose SOP the user can't see or can't
 * propose to archive
 */
export async function proposeArchives(
  services: Services,
  proposer: Proposer,
  files: readonly DeletedFile[],
): Promise<Map<string, { number: string; stored: StoredProposal }>> {
  const { actor } = proposer.identity;
  const company = services.db.forCompany(actor.companyId);
  const sops = await company
    .collection("sops")
    .find({ _id: { $in: files.map(({ sopId }) => sopId) }, deletedAt: null });
  const deleted: DeletedSop[] = [];
  for (const { path, sopId } of files) {
    const sop = sops.find(({ _id }) => _id === sopId);
    const view = sop ? visibleVersion(actor, sop) : "nothing";
    if (!sop || view === "nothing") continue;
    const stored = await readStoredVersion(company, sopId, versionNumberInView(sop, view));
    if (stored) deleted.push({ path, sop, stored });
  }
  const found = await storeProposalOfEach(services, proposer, deleted, archiveProposalOf);
  return new Map([...found].map(([{ path, sop }, stored]) => [path, { number: sop.label, stored }]));
}

function archiveProposalOf(proposer: Proposer, { path, sop, stored }: DeletedSop, at: string): ProposalDocument {
  return {
    ...newProposalFields(proposer, at),
    kind: "archive",
    sopId: sop._id,
    path,
    sha256: stored.contentHash,
    baseVersion: stored.version,
    title: stored.title,
    text: fileTextOf(stored.frontMatter, stored.markdown),
    assets: stored.assets,
    assetPlaces: [...stored.assetPlaces],
    sopLinks: stored.sopLinks ?? [],
  };
}

/**
 * Archives the SOP of an accepted proposal.
 * @param closeProposal writes the decision in the same transaction
 */
export async function archiveProposedSop(
  services: Services,
  call: SignedInCall,
  { proposal, sop }: VisibleProposal,
  closeProposal: (tx: Transaction<Collections>, at: string) => Promise<void>,
): Promise<void> {
  const at = services.clock.now();
  const id = sop?._id ?? "";
  const loadSop = async () => {
    const found = await services.db
      .forCompany(proposal.companyId)
      .collection("sops")
      .findOne({ _id: id, deletedAt: null });
    if (!found) throw new AppError("conflict", refusals.deletedSop());
    if (!mayDecideProposal(call.identity.actor, proposal, found)) throw new AppError("forbidden");
    return found;
  };
  const archiveSteps = (now: SopDocument) => [archiveStep(now, at, proposal.comment)];
  await changeSop(services, authorOfChange(call, at), id, loadSop, archiveSteps, (tx) => closeProposal(tx, at));
}
