/** The zod schemas of all API calls. The server, forms and tests load them; browsers don't load them for lists. */
import { acknowledgementSchemas } from "../acknowledgements/schemas.ts";
import { aiSchemas } from "../ai/schemas.ts";
import { accountSchemas, authSchemas } from "../sign-in/schemas.ts";
import { assistantSchemas } from "../assistant/schemas.ts";
import { auditSchemas } from "../audit/schemas.ts";
import { approvalSchemas, sopApprovalSchemas } from "../approvals/schemas.ts";
import { assetSchemas } from "../assets/schemas.ts";
import { categorySchemas } from "../categories/schemas.ts";
import { commentSchemas } from "../comments/schemas.ts";
import { companySchemas, ownCompanySchemas } from "../companies/schemas.ts";
import { favoriteSchemas } from "../favorites/schemas.ts";
import { eventSchemas } from "../events/schemas.ts";
import { invitationSchemas } from "../invitations/schemas.ts";
import { mirrorSchemas } from "../mirror/schemas.ts";
import { notificationSchemas } from "../notifications/schemas.ts";
import { roleSchemas, userPermissionSchemas } from "../permissions/schemas.ts";
import { reviewSchemas } from "../periodic-review/schemas.ts";
import { presenceSchemas } from "../presence/schemas.ts";
import { proposalSchemas } from "../proposals/schemas.ts";
import { repositorySchemas } from "../repository/schemas.ts";
import { settingsSchemas } from "../settings/schemas.ts";
import { searchSchemas } from "../search/schemas.ts";
import { sessionSchemas } from "../sessions/schemas.ts";
import { sopSchemas } from "../sops/schemas.ts";
import { statusSchemas } from "../status/schemas.ts";
import { statsSchemas } from "../stats/schemas.ts";
import { suggestionSchemas } from "../suggestions/schemas.ts";
import { teamSchemas } from "../teams/schemas.ts";
import { templateSchemas } from "../templates/schemas.ts";
import { tokenSchemas } from "../tokens/schemas.ts";
import { adminUserSchemas, companyUserSchemas, userSchemas } from "../users/schemas.ts";
import type { Routes } from "./routes.ts";
import type { SchemaTable } from "../contract/schema.ts";

export const schemas = {
  auth: authSchemas,
  account: accountSchemas,
  sessions: sessionSchemas,
  tokens: tokenSchemas,
  sops: { ...sopSchemas, ...sopApprovalSchemas, ...favoriteSchemas, ...reviewSchemas },
  search: searchSchemas,
  comments: commentSchemas,
  acknowledgements: acknowledgementSchemas,
  approvals: approvalSchemas,
  categories: categorySchemas,
  assets: assetSchemas,
  users: userSchemas,
  adminUsers: adminUserSchemas,
  companyUsers: companyUserSchemas,
  companies: companySchemas,
  company: ownCompanySchemas,
  invitations: invitationSchemas,
  teams: teamSchemas,
  companyPermissions: userPermissionSchemas,
  adminPermissions: userPermissionSchemas,
  roles: roleSchemas,
  stats: statsSchemas,
  status: statusSchemas,
  templates: templateSchemas,
  repository: repositorySchemas,
  mirror: mirrorSchemas,
  presence: presenceSchemas,
  events: eventSchemas,
  notifications: notificationSchemas,
  settings: settingsSchemas,
  ai: aiSchemas,
  audit: auditSchemas,
  assistant: assistantSchemas,
  suggestions: suggestionSchemas,
  proposals: proposalSchemas,
} as const satisfies SchemaTable<Routes>;

export type Schemas = typeof schemas;
