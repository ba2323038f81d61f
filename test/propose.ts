/** Proposes texts like a push or a mirror, but without git. */
import { createHash } from "node:crypto";
import { newId } from "#core/ids.ts";
import { ImportRequest } from "#core/sops/import-schema.ts";
import { actorOf } from "../server/http/identify.ts";
import { parseInput } from "../server/http/input-texts.ts";
import { storeProposals } from "../server/proposals/store.ts";
import { decideAndApply } from "../server/sops/import/import.ts";
import type { Services } from "../server/http/services.ts";

/** The file of an SOP in the form of a clone. */
export interface ProposedFile {
  path?: string;
  /** The SOP and its version; without both, the file is a new SOP. */
  id?: string;
  version?: number;
  title?: string;
  markdown: string;
}

/** @returns the number of the proposal */
export async function propose(
  services: Services,
  user: { id: string; companyId: string },
  file: ProposedFile,
): Promise<number> {
  const { path = "sops/uncategorized/proposed.md", id, version = 1, title = "Proposed", markdown } = file;
  const of = id === undefined ? "" : `id: "${id}"\nversion: ${version}\n`;
  const text = `---\n${of}title: "${title}"\ndescription: "D"\n---\n\n${markdown}`;
  const account = await services.db.collection("users").findOne({ _id: user.id });
  const company = await services.companies.get(user.companyId);
  if (!account || !company) throw new Error("the user is gone");
  const identity = {
    user: account,
    actor: actorOf(account, company, services.clock.now()),
    tokenId: null,
    session: null,
  };
  const proposer = { identity, origin: null, source: "mirror", commit: null, comment: null } as const;
  const sha256 = createHash("sha256").update(text).digest("hex");
  const body = parseInput(ImportRequest, {
    importId: newId(),
    documents: [{ path, sha256, text }],
    dryRun: true,
  });
  const origin = { requestId: "", ipAddress: null, userAgent: null };
  const [decided] = await decideAndApply(services, { identity, body, origin, idempotency: null });
  if (!decided || !(decided.outcome === "create" || decided.outcome === "update" || decided.proposable === true))
    throw new Error(JSON.stringify(decided));
  const stored = (await storeProposals(services, proposer, [decided])).get(decided);
  if (!stored || "refused" in stored) throw new Error(JSON.stringify({ decided, stored }));
  return stored.number;
}
