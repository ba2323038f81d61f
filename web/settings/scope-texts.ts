import type { TokenScope } from "#core/tokens/scopes.ts";

interface ScopeText {
  label: string;
  hint: string;
}

/** Scopes in plain words. */
export const scopeTexts: Record<TokenScope, ScopeText> = {
  "sops:read": { label: "Read SOPs", hint: "See, search and export every SOP that you can see." },
  "sops:write": { label: "Write SOPs", hint: "Create, import, change and delete SOPs and categories." },
  approvals: { label: "Handle approvals", hint: "Ask for approval, approve and reject in your name." },
  admin: { label: "Administer", hint: "Manage users, teams and the company, and read the audit log." },
  "repo:read": { label: "Clone the repository", hint: "Read your company's git repository." },
  "repo:push": { label: "Push to the repository", hint: "Change SOPs through git." },
};
