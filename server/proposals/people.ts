/** Notifies users of proposals and of decisions about them. All of these users can open the proposal. */
import { mayDecideProposal } from "#core/proposals/rules.ts";
import type { Role } from "#core/permissions/roles.ts";
import type { Collections, ProposalDocument, SopDocument, UserDocument } from "../database/documents.ts";
import type { Filter, Projection, Transaction } from "../database/port.ts";
import type { RecordedChange } from "../effects/record.ts";
import { actorOf } from "../http/identify.ts";
import { notifyUsers, type NoticeActor } from "../notifications/notify.ts";

type Tx = Transaction<Collections>;

const fields: Projection<UserDocument> = { companyId: 1, username: 1, name: 1, role: 1, teamIds: 1, permissions: 1 };
/** Roles that are notified if neither the owner nor the author of the SOP can decide. */
const substitutes: readonly Role[] = ["manager", "admin", "company_admin"];

interface ReceivedProposals {
  companyId: string;
  proposals: readonly { proposal: ProposalDocument; sop: SopDocument | null }[];
  actor: NoticeActor;
  at: string;
}

/**
 * Notifies the owner and the author of each SOP, if they can decide. If no one but the proposer is left, notifies the
 * managers and administrators who can decide. Each person gets a single notification for all proposals.
 */
export async function notifyDeciders(tx: Tx, { companyId, proposals, actor, at }: ReceivedProposals): Promise<void> {
  const found = new Map<string, { proposal: ProposalDocument; sop: SopDocument | null }[]>();
  const company = await tx.collection("companies").findOne({ _id: companyId });
  if (!company) return;
  const usersOf = (filter: Filter<UserDocument>) =>
    tx
      .forCompany(companyId)
      .collection("users")
      .find({ ...filter, status: "active" }, { projection: fields });
  const ids = [...new Set(proposals.flatMap(({ sop }) => [sop?.ownerId, sop?.authorId]))].filter(
    (id) => id !== null && id !== undefined,
  );
  const named = ids.length === 0 ? [] : await usersOf({ _id: { $in: ids } });
  let others: UserDocument[] | null = null;
  for (const one of proposals) {
    const { proposal, sop } = one;
    const canDecide = (user: UserDocument) => mayDecideProposal(actorOf(user, company, at), proposal, sop);
    let to = named.filter((user) => (user._id === sop?.ownerId || user._id === sop?.authorId) && canDecide(user));
    if (to.every(({ _id }) => _id === actor._id)) {
      others ??= await usersOf({ role: { $in: [...substitutes] } });
      to = others.filter(canDecide);
    }
    for (const { _id } of to) found.set(_id, [...(found.get(_id) ?? []), one]);
  }
  for (const [userId, [first, ...more]] of found) {
    if (first === undefined) continue;
    const isOne = more.length === 0;
    await notifyUsers(tx, {
      companyId,
      to: [userId],
      kind: "proposal_received",
      sopId: isOne ? first.proposal.sopId : null,
      actor,
      detail: isOne
        ? {
            proposal: first.proposal.number,
            isNew: Number(first.sop === null),
            ...(first.proposal.kind === "archive" && { kind: "archive" }),
          }
        : { count: more.length + 1 },
      at,
    });
  }
}

/**
 * Returns the audience of an event about proposals: their authors, and users who see the draft of a proposal's SOP. For
 * a proposed new SOP, also all users who see drafts.
 */
export function proposalEventAudience(
  proposals: readonly Pick<ProposalDocument, "authorId" | "sopId">[],
): NonNullable<RecordedChange["hears"]> {
  const sopIds = proposals.flatMap(({ sopId }) => sopId ?? []);
  return {
    resources: ["proposals", "stats"],
    to: [...new Set(proposals.map(({ authorId }) => authorId))],
    about: [...new Set(sopIds)].map((id) => ({ id, readersSee: false })),
    ...(sopIds.length < proposals.length && { alsoFor: "drafts" }),
  };
}

export function notifyProposalAuthor(
  tx: Tx,
  { companyId, authorId, sopId, number, state, kind }: ProposalDocument,
  actor: NoticeActor,
  at: string,
): Promise<void> {
  const detail = { proposal: number, state, ...(kind === "archive" && { kind }) };
  return notifyUsers(tx, { companyId, to: [authorId], kind: "proposal_decided", sopId, actor, detail, at });
}
