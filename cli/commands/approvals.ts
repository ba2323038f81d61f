/** `sop submit`, `sop approve`, `sop reject`: approval from the terminal. */
import { ineligibleRefusals } from "#core/approvals/rules.ts";
import type { Approval, ApproverCandidate } from "#core/approvals/schema.ts";
import { isId } from "#core/ids.ts";
import { foldWord } from "#core/text/fold.ts";
import { printedName } from "#core/users/printed-name.ts";
import { sopsNamedByNumber, numberKey, readPossibleNumbers, unclearNumberMessage } from "#core/numbers/numbers.ts";
import { exit, invalidInputError } from "../exit.ts";
import { findSops } from "../export/read.ts";
import { printableText } from "../output.ts";
import { connectSignedIn, type SopClient } from "../server.ts";
import { announceTarget } from "../write-target.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface SubmitOptions {
  approver: string[];
  note?: string;
}

export interface DecisionOptions {
  comment?: string;
  ifMatch?: number;
}

/**
 * Submits an SOP for approval.
 * @param isTargetNamed whether the caller has already printed the server and company that it writes to
 */
export async function submitForApproval(
  context: CommandContext,
  reference: string,
  { approver, note }: SubmitOptions,
  isTargetNamed = false,
): Promise<CommandResult> {
  const { client, connection } = await connectSignedIn(context);
  if (!isTargetNamed) await announceTarget(context, { client, connection });
  const [sop] = (await findSops({ client, progress: context.out.progress }, [reference], {})).rows;
  context.out.progress(null);
  if (!sop) throw invalidInputError("not_found", `SOP ${reference} not found, or you can't see it`);
  const params = { id: sop.id };
  const { people } = await client.approvals.candidates({ params });
  const approverIds = approver.map((name) => findApproverId(people, name, sop.number));
  const request = await client.sops.requestApproval({
    params,
    body: { approverIds, ...(note === undefined ? {} : { requestNote: note }) },
  });
  const names = request.approvers.map(({ user }) => printedName(user)).join(", ");
  return {
    exit: exit.done,
    data: request,
    text: printableLine(`${requestLabel(request)} waits for ${names}: ${neededApprovalsText(request)}.`),
  };
}

/**
 * Finds an approver by username, by id, or by name without regard to case and accents. @throws exit 2 if no one or
 * several people match, or if the person found can't approve
 */
function findApproverId(people: readonly ApproverCandidate[], reference: string, number: string): string {
  const byUsername = people.filter(({ username }) => username === reference.toLowerCase());
  const named =
    byUsername.length > 0
      ? byUsername
      : people.filter(({ id, name }) => id === reference || foldedName(name) === foldedName(reference));
  const [person] = named;
  if (!person) {
    const able = people.filter(({ eligible }) => eligible).map(printedName);
    const hint = able.length > 0 ? `${number} can be approved by: ${able.join(", ")}` : `no one can approve ${number}`;
    throw invalidInputError("no_approver", `no active user is named ${reference}`, { hint });
  }
  if (named.length > 1) {
    const usernames = named.map(({ username }) => username).join(", ");
    const hint = `name one by username: ${usernames}`;
    throw invalidInputError("ambiguous", `${named.length} people are named ${reference}`, { hint });
  }
  if (person.reason)
    throw invalidInputError("ineligible", `${printedName(person)}: ${ineligibleRefusals[person.reason]().text}`);
  return person.id;
}

const foldedName = (text: string) => foldWord(text).trim();

export const approve = createDecisionCommand("approve");
export const reject = createDecisionCommand("reject");

function createDecisionCommand(verb: "approve" | "reject") {
  return async (
    context: CommandContext,
    reference: string,
    { comment, ifMatch }: DecisionOptions,
  ): Promise<CommandResult> => {
    const { client, connection } = await connectSignedIn(context);
    await announceTarget(context, { client, connection });
    const request = await client.approvals[verb]({
      params: { id: await findPendingRequestId(client, reference) },
      body: comment === undefined ? {} : { comment },
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
    return {
      exit: exit.done,
      data: request,
      text: printableLine(`${requestLabel(request)}: ${decisionResultText(request, !comment?.trim())}.`),
    };
  };
}

/**
 * Finds the pending request about an SOP by the SOP's number or id, or by the request's id. Returns an id that isn't in
 * the list unchanged, because the server says what is wrong with it.
 */
async function findPendingRequestId(client: SopClient, reference: string): Promise<string> {
  const pending = await client.approvals.list({ query: { status: "pending" } });
  const known = pending.find(({ id, sopId }) => id === reference || sopId === reference);
  if (known) return known.id;
  const keyed = pending.map(({ id, sop: { number: label } }) => ({ id, label, labelKey: numberKey(label) }));
  const [found, ...others] = sopsNamedByNumber(readPossibleNumbers(reference), keyed);
  if (found && others.length > 0)
    throw invalidInputError("unclear_number", unclearNumberMessage(reference, [found, ...others]).text);
  if (found) return found.id;
  if (isId(reference)) return reference;
  throw invalidInputError("not_found", `no pending approval request for ${reference}, or you can't see it`, {
    hint: "sop api approvals.list --query status=pending",
  });
}

function requestLabel({ sop, version }: Approval): string {
  return `${sop.number} version ${version} (${sop.title})`;
}

function neededApprovalsText({ needed: count, approvers }: Approval): string {
  return count === approvers.length ? "all of them must approve" : `${count} of them must approve`;
}

function decisionResultText(request: Approval, isMute: boolean): string {
  const { outcome, approvers, needed: count, publishedVersion, version } = request;
  if (outcome === "rejected") return `rejected${isMute ? " without a reason" : ""}; it's a draft again`;
  if (outcome === "approved") {
    return publishedVersion === version ? "approved and published" : "approved, takes effect on its effective date";
  }
  const approved = approvers.filter(({ status, replacedAt }) => status === "approved" && replacedAt === null).length;
  return `approved by you, ${approved} of ${count} approvals`;
}

const printableLine = (text: string) => `${printableText(text)}\n`;
