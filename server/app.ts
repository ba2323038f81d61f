/** Creates the app: the list of its middleware, in order. */
import Koa, { type Context, type Next } from "koa";
import type { ServerStatus } from "#core/status/schema.ts";
import type { RouterContext } from "@koa/router";
import { AppError } from "#core/errors.ts";
import { openApiDocument } from "#core/api/openapi.ts";
import { acknowledgementHandlers } from "./acknowledgements/handlers.ts";
import { accountHandlers } from "./sign-in/account.ts";
import { authHandlers } from "./sign-in/handlers.ts";
import { aiHandlers } from "./ai/handlers.ts";
import { approvalHandlers } from "./approvals/handlers.ts";
import { assetHandlers } from "./assets/handlers.ts";
import { assistantHandlers } from "./assistant/handlers.ts";
import type { Denials } from "./audit/denials.ts";
import { auditHandlers } from "./audit/handlers.ts";
import { categoryHandlers } from "./categories/handlers.ts";
import { commentHandlers } from "./comments/handlers.ts";
import { companyHandlers } from "./companies/handlers.ts";
import { ownCompanyHandlers } from "./companies/own.ts";
import { eventHandlers } from "./events/handlers.ts";
import type { AllHandlers } from "./http/call.ts";
import { createPacingMiddleware } from "./http/answers.ts";
import type { RequestGate } from "./http/closing.ts";
import { createCountingMiddleware } from "./http/count-requests.ts";
import { isDisconnect } from "./http/disconnect.ts";
import { createErrorMiddleware } from "./http/error-body.ts";
import { createGitMiddleware } from "./git/handler.ts";
import { createHealthMiddleware, type Readiness } from "./http/health.ts";
import { createIdentifyRequest } from "./http/identify.ts";
import { createLimiters } from "./http/limiters.ts";
import { createRoutesMiddleware } from "./http/mount.ts";
import { createRequestRate } from "./http/request-rate.ts";
import { createRequestLogMiddleware } from "./http/request-id.ts";
import type { AddressCheck } from "./http/address-check.ts";
import { createSameOriginMiddleware } from "./http/same-origin.ts";
import { createSecurityHeadersMiddleware } from "./http/security-headers.ts";
import type { Services } from "./http/services.ts";
import { createSessionMiddleware } from "./http/session.ts";
import { loadStaticFiles, createStaticFilesMiddleware } from "./http/static-files.ts";
import { loadTerminalPackage, createTerminalPackageMiddleware } from "./http/terminal-package.ts";
import { invitationHandlers } from "./invitations/handlers.ts";
import { mirrorHandlers } from "./mirror/handlers.ts";
import { createMirrorWebhook } from "./mirror/webhook.ts";
import { notificationHandlers } from "./notifications/handlers.ts";
import { roleHandlers } from "./permissions/role-permissions.ts";
import { userPermissionsHandlers } from "./permissions/user-permissions.ts";
import { presenceHandlers } from "./presence/handlers.ts";
import { proposalHandlers } from "./proposals/handlers.ts";
import { repositoryHandlers } from "./repository/handlers.ts";
import { searchHandlers } from "./search/handlers.ts";
import { settingsHandlers } from "./settings/handlers.ts";
import { sessionHandlers } from "./sessions/handlers.ts";
import { sopHandlers } from "./sops/handlers.ts";
import type { RecentRecorder } from "./favorites/recorder.ts";
import type { ViewCounter } from "./sops/view/view-counter.ts";
import { createUnlockEndpoint } from "./sign-in/unlock.ts";
import { refuseMetrics, createStatusEndpoint } from "./status/endpoint.ts";
import { statusHandlers } from "./status/handlers.ts";
import { createMetrics } from "./status/metrics.ts";
import { statsHandlers } from "./stats/handlers.ts";
import { suggestionHandlers } from "./suggestions/handlers.ts";
import { teamHandlers } from "./teams/handlers.ts";
import { templateHandlers } from "./templates/handlers.ts";
import { tokenHandlers } from "./tokens/handlers.ts";
import { adminUserHandlers, companyUserHandlers, userHandlers } from "./users/handlers.ts";

export interface AppOptions {
  services: Services;
  views: ViewCounter;
  recent: RecentRecorder;
  denials: Denials;
  readiness: Readiness;
  closing: RequestGate;
  status: () => Promise<ServerStatus>;
  /** The folder of the built web app. */
  webDir: string;
  /** The folder of the built packages. */
  packagesDir: string;
  /** The public origin, such as `https://sop.example.org`. It is known once the server has a port. */
  publicOrigin: () => string;
  addresses: AddressCheck;
}

export async function createApp({
  services,
  views,
  recent,
  denials,
  readiness,
  closing,
  status,
  webDir,
  packagesDir,
  publicOrigin,
  addresses,
}: AppOptions): Promise<Koa> {
  const { config, db, clock, log } = services;
  const app = new Koa({ proxy: config.trustedProxies > 0, maxIpsCount: config.trustedProxies });
  app.on("error", (error: unknown) => {
    if (!isDisconnect(error)) log.error({ err: error }, "koa");
  });

  const metrics = createMetrics(status);
  const limiters = createLimiters(db, clock, config.trustedNetworks);
  const handlers: AllHandlers = {
    auth: authHandlers(services, limiters),
    account: accountHandlers(services, limiters),
    sessions: sessionHandlers(services),
    tokens: tokenHandlers(services, limiters),
    sops: sopHandlers(services, views, recent),
    search: searchHandlers(services),
    comments: commentHandlers(services),
    acknowledgements: acknowledgementHandlers(services),
    approvals: approvalHandlers(services),
    categories: categoryHandlers(services),
    audit: auditHandlers(services),
    assistant: assistantHandlers(services, recent),
    suggestions: suggestionHandlers(services, recent),
    proposals: proposalHandlers(services),
    assets: assetHandlers(services),
    users: userHandlers(services),
    adminUsers: adminUserHandlers(services, limiters),
    companyUsers: companyUserHandlers(services, limiters),
    companies: companyHandlers(services),
    company: ownCompanyHandlers(services),
    invitations: invitationHandlers(services, limiters),
    teams: teamHandlers(services),
    companyPermissions: userPermissionsHandlers(services, "company"),
    adminPermissions: userPermissionsHandlers(services, "all"),
    roles: roleHandlers(services),
    stats: statsHandlers(services),
    status: statusHandlers(status),
    templates: templateHandlers(services),
    repository: repositoryHandlers(services),
    mirror: mirrorHandlers(services),
    presence: presenceHandlers(services),
    events: eventHandlers(services),
    notifications: notificationHandlers(services),
    settings: settingsHandlers(services, limiters),
    ai: aiHandlers(services),
  };
  const rate = createRequestRate(config.requestsPerMinute);
  const identify = createIdentifyRequest(services);

  app.use(createRequestLogMiddleware({ log, trustedProxies: config.trustedProxies, observe: metrics.observe }));
  app.use(createSecurityHeadersMiddleware(config.secure));
  app.use(createPacingMiddleware());
  app.use(createErrorMiddleware(log));
  app.use(createHealthMiddleware(readiness));
  app.use(closing.handle);
  app.use(addresses.watchRequest);
  app.use(createStatusEndpoint({ status, metrics, config, keys: services.keys }));
  app.use(createUnlockEndpoint(services, services.keys));
  app.use(createStaticFilesMiddleware(await loadStaticFiles(webDir)));
  app.use(createTerminalPackageMiddleware(await loadTerminalPackage(packagesDir)));
  app.use(createCountingMiddleware(rate, identify, async (id) => (await services.companies.get(id))?.userCount ?? 0));
  app.use(refuseMetrics);
  app.use(serveOpenApi());
  app.use(createSameOriginMiddleware(publicOrigin, addresses));
  app.use(createMirrorWebhook(services));
  app.use(createGitMiddleware({ services, denials, identify: identify.identify }));
  const session = createSessionMiddleware(app, services.sessions, clock, config.secure);
  app.use(createRoutesMiddleware(handlers, { services, limiters, denials, identify, sessions: session }));
  app.use(answerMethodNotAllowed());
  return app;
}

/** Answers 405 after the router for a path that exists with other methods. */
function answerMethodNotAllowed() {
  return (ctx: Context) => {
    const layers = (ctx as Context & Partial<RouterContext>).matched ?? [];
    if (layers.length === 0) return;
    ctx.set("Allow", [...new Set(layers.flatMap(({ methods }) => methods))].sort().join(", "));
    throw new AppError("method_not_allowed");
  };
}

/** Serves `/api/openapi.json`. The document is created for the first request of that path. */
function serveOpenApi() {
  let text: Buffer | null = null;
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== "/api/openapi.json" || ctx.method !== "GET") return next();
    // keep the bytes, because all answers can share them; each answer would copy a string
    text ??= Buffer.from(JSON.stringify(openApiDocument()));
    ctx.type = "application/json";
    ctx.body = text;
  };
}
