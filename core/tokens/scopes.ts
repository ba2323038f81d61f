/** What a personal access token may do (`design/interfaces.md`, HTTP). The effective right is scope ∩ the user's rights. */
export const tokenScopes = ["sops:read", "sops:write", "approvals", "admin", "repo:read", "repo:push"] as const;
export type TokenScope = (typeof tokenScopes)[number];
