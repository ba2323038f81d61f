/**
 * The scopes of personal access tokens (`docs/spec/calls.md`). Both the scope and the user's permissions must allow a
 * call.
 */
export const tokenScopes = ["sops:read", "sops:write", "approvals", "admin", "repo:read", "repo:push"] as const;
export type TokenScope = (typeof tokenScopes)[number];
