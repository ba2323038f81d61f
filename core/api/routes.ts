/** Every call of the API. Server, web, CLI, OpenAPI and tests read this table. */
import { acknowledgementRoutes } from "../acknowledgements/routes.ts";
import { aiRoutes } from "../ai/routes.ts";
import { accountRoutes, authRoutes } from "../sign-in/routes.ts";
import { assistantRoutes } from "../assistant/routes.ts";
import { auditRoutes } from "../audit/routes.ts";
import { approvalRoutes, sopApprovalRoutes } from "../approvals/routes.ts";
import { assetRoutes } from "../assets/routes.ts";
import { categoryRoutes } from "../categories/routes.ts";
import { commentRoutes } from "../comments/routes.ts";
import { companyRoutes, ownCompanyRoutes } from "../companies/routes.ts";
import { favoriteRoutes } from "../favorites/routes.ts";
import { eventRoutes } from "../events/routes.ts";
import { invitationRoutes } from "../invitations/routes.ts";
import { mirrorRoutes } from "../mirror/routes.ts";
import { notificationRoutes } from "../notifications/routes.ts";
import { adminPermissionRoutes, companyPermissionRoutes, roleRoutes } from "../permissions/routes.ts";
import { reviewRoutes } from "../periodic-review/routes.ts";
import { presenceRoutes } from "../presence/routes.ts";
import { proposalRoutes } from "../proposals/routes.ts";
import { repositoryRoutes } from "../repository/routes.ts";
import { settingsRoutes } from "../settings/routes.ts";
import { searchRoutes } from "../search/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { sopRoutes } from "../sops/routes.ts";
import { statusRoutes } from "../status/routes.ts";
import { statsRoutes } from "../stats/routes.ts";
import { suggestionRoutes } from "../suggestions/routes.ts";
import { teamRoutes } from "../teams/routes.ts";
import { templateRoutes } from "../templates/routes.ts";
import { tokenRoutes } from "../tokens/routes.ts";
import { adminUserRoutes, companyUserRoutes, userRoutes } from "../users/routes.ts";

export const routes = {
  auth: authRoutes,
  account: accountRoutes,
  sessions: sessionRoutes,
  tokens: tokenRoutes,
  sops: { ...sopRoutes, ...sopApprovalRoutes, ...favoriteRoutes, ...reviewRoutes },
  search: searchRoutes,
  comments: commentRoutes,
  acknowledgements: acknowledgementRoutes,
  approvals: approvalRoutes,
  categories: categoryRoutes,
  assets: assetRoutes,
  users: userRoutes,
  adminUsers: adminUserRoutes,
  companyUsers: companyUserRoutes,
  companies: companyRoutes,
  company: ownCompanyRoutes,
  invitations: invitationRoutes,
  teams: teamRoutes,
  companyPermissions: companyPermissionRoutes,
  adminPermissions: adminPermissionRoutes,
  roles: roleRoutes,
  stats: statsRoutes,
  status: statusRoutes,
  templates: templateRoutes,
  repository: repositoryRoutes,
  mirror: mirrorRoutes,
  presence: presenceRoutes,
  events: eventRoutes,
  notifications: notificationRoutes,
  settings: settingsRoutes,
  ai: aiRoutes,
  audit: auditRoutes,
  assistant: assistantRoutes,
  suggestions: suggestionRoutes,
  proposals: proposalRoutes,
} as const;

export type Routes = typeof routes;

/**
 * A group of routes, or the user's own data (`me`). An event that names a resource tells browsers to reload its cached
 * answers.
 */
export type Resource = keyof Routes | "me";
