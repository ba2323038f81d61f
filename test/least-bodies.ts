/** Bodies for requests to every row of the contract. */
import { unknownId } from "./contract-rows.ts";
import { password } from "./server.ts";

export const person = { username: "somebody", name: "Some Body", password };

/** The smallest bodies of rows that refuse an empty one. */
export const leastBodies: Record<string, unknown> = {
  "ai.generateSop": { prompt: "Drain tank 4" },
  "ai.improveSop": { markdown: "Open it.\n" },
  "ai.enhanceContent": { markdown: "Open it.\n", enhancementType: "formatting" },
  "sops.grant": { userId: unknownId, permission: "read" },
  "sops.restrict": { restricted: true },
  "sops.review": { verdict: "keep" },
  "sops.requestApproval": { approverIds: [unknownId] },
  "acknowledgements.confirm": { version: 1 },
  "approvals.requestChanges": { comment: "Why" },
  "approvals.replaceApprover": { replace: unknownId, with: unknownId },
  "comments.create": { content: "Why?" },
  "comments.update": { content: "Why?" },
  "presence.announce": { tab: unknownId, state: "here" },
  "comments.resolve": { resolved: true },
  "teams.addMember": { userId: unknownId },
  "companyPermissions.set": { permission: "sop.edit", granted: true },
  "adminPermissions.set": { permission: "sop.edit", granted: true },
  "companyUsers.create": person,
  "adminUsers.create": person,
  "companies.create": { name: "A company", slug: "a-company" },
  "mirror.update": { url: "http://127.0.0.1:9/sops.git", username: "x", token: "t", incoming: "changes" },
  "assistant.draft": { prompt: "Fire drill" },
  "assistant.improve": { markdown: "Open it.\n" },
  "suggestions.create": { title: "Fire drill" },
  "search.ask": { q: "fire drill" },
  "suggestions.setStatus": { status: "dismissed" },
  "proposals.merge": { markdown: "Open it.\n", version: 1 },
  "proposals.dismiss": { reason: "Not now" },
};
