/**
 * Every address with a function that loads its screen. Each screen is a separate file. This module doesn't import
 * React.
 */
import type { FunctionComponent } from "react";

export interface Screen {
  path: string;
  load(): Promise<FunctionComponent>;
  /** The addresses that a first visit reads in addition to those of the shell, exactly as the client builds them. */
  reads?(pathname: string): readonly string[];
}

/** The addresses that the shell of every signed-in screen reads. */
export const shellReads = ["/api/auth/me", "/api/stats", "/api/categories"];
const sopScreenReads = (pathname: string) => [`/api/sops/${pathname.split("/")[2] ?? ""}`];

const loadSettingsPage = () => import("./settings/SettingsPage.tsx").then((module) => module.SettingsPage);
const loadCompanyPage = () => import("./companies/own/CompanyPage.tsx").then((module) => module.CompanyPage);
const loadSopEditPage = () => import("./sops/edit/SopEditPage.tsx").then((module) => module.SopEditPage);

export const loadShell = () => import("./shell/Shell.tsx").then((module) => module.Shell);

export const publicScreens: readonly Screen[] = [
  { path: "/login", load: () => import("./sign-in/LoginPage.tsx").then((module) => module.LoginPage) },
  { path: "/register", load: () => import("./sign-in/RegisterPage.tsx").then((module) => module.RegisterPage) },
  {
    path: "/forgot-password",
    load: () => import("./sign-in/ForgotPasswordPage.tsx").then((module) => module.ForgotPasswordPage),
  },
  {
    path: "/reset-password",
    load: () => import("./sign-in/ResetPasswordPage.tsx").then((module) => module.ResetPasswordPage),
  },
  {
    path: "/confirm-email",
    load: () => import("./sign-in/ConfirmEmailPage.tsx").then((module) => module.ConfirmEmailPage),
  },
  { path: "/setup", load: () => import("./sign-in/SetupPage.tsx").then((module) => module.SetupPage) },
];

export const protectedScreens: readonly Screen[] = [
  {
    path: "/",
    load: () => import("./dashboard/DashboardPage.tsx").then((module) => module.DashboardPage),
    reads: () => ["/api/stats/needs", "/api/sops?limit=12"],
  },
  { path: "/sops", load: () => import("./sops/list/SopsPage.tsx").then((module) => module.SopsPage) },
  { path: "/favorites", load: () => import("./favorites/FavoritesPage.tsx").then((module) => module.FavoritesPage) },
  { path: "/recent", load: () => import("./favorites/RecentPage.tsx").then((module) => module.RecentPage) },
  { path: "/pending", load: () => import("./approvals/PendingPage.tsx").then((module) => module.PendingPage) },
  {
    path: "/confirmations",
    load: () => import("./acknowledgements/ConfirmationsPage.tsx").then((module) => module.ConfirmationsPage),
  },
  { path: "/proposals", load: () => import("./proposals/ProposalsPage.tsx").then((module) => module.ProposalsPage) },
  { path: "/proposals/:id", load: () => import("./proposals/ProposalPage.tsx").then((module) => module.ProposalPage) },
  { path: "/category/:id", load: () => import("./categories/CategoryPage.tsx").then((module) => module.CategoryPage) },
  {
    path: "/admin/companies",
    load: () => import("./companies/CompaniesPage.tsx").then((module) => module.CompaniesPage),
  },
  {
    path: "/admin/companies/:id/users",
    load: () => import("./companies/CompanyUsersPage.tsx").then((module) => module.CompanyUsersPage),
  },
  { path: "/admin/server", load: () => import("./status/ServerPage.tsx").then((module) => module.ServerPage) },
  { path: "/admin/company", load: loadCompanyPage },
  { path: "/admin/company/:topic", load: loadCompanyPage },
  { path: "/admin/teams", load: () => import("./teams/TeamsPage.tsx").then((module) => module.TeamsPage) },
  { path: "/admin/audit", load: () => import("./audit/AuditPage.tsx").then((module) => module.AuditPage) },
  { path: "/admin/users", load: () => import("./users/UsersPage.tsx").then((module) => module.UsersPage) },
  { path: "/settings", load: loadSettingsPage },
  { path: "/settings/:topic", load: loadSettingsPage },
  { path: "/start", load: () => import("./start/StartPage.tsx").then((module) => module.StartPage) },
  { path: "/sop/new", load: loadSopEditPage },
  { path: "/sop/:id/edit", load: loadSopEditPage, reads: sopScreenReads },
  { path: "/sop/:id/compare", load: () => import("./sops/diff/ComparePage.tsx").then((module) => module.ComparePage) },
  {
    path: "/sop/:id/steps",
    load: () => import("./sops/steps/StepsPage.tsx").then((module) => module.StepsPage),
    reads: sopScreenReads,
  },
  {
    path: "/sop/:id",
    load: () => import("./sops/view/SopViewPage.tsx").then((module) => module.SopViewPage),
    reads: sopScreenReads,
  },
];

/** Returns the first screen whose path matches, in the same order as the router. */
export function screenForPath(screens: readonly Screen[], pathname: string): Screen | undefined {
  return screens.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}/?$`, "i").test(pathname));
}

/** Components of screens whose code has loaded. */
export const loadedScreens = new Map<Screen["load"], FunctionComponent>();

/**
 * Loads the code of an address. Resolves when the code has loaded or failed. The screen shows the failure when it is
 * rendered.
 */
export async function preloadScreen(pathname: string): Promise<void> {
  const screen = screenForPath(protectedScreens, pathname);
  const loads = screen ? [loadShell, screen.load] : [screenForPath(publicScreens, pathname)?.load];
  await Promise.allSettled(loads.map(async (load) => load && loadedScreens.set(load, await load())));
}
