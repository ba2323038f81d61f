/** Every address there is, and the screen behind it; each screen is a chunk of its own. */
import { matchPath, Route, Routes } from "react-router-dom";
import { lazyPage } from "./lazy-page.ts";
import { Guard } from "./shell/Guard.tsx";
import { NotFoundPage } from "./shell/NotFoundPage.tsx";

const SopEditPage = lazyPage(() => import("./sops/SopEditPage.tsx").then((module) => module.SopEditPage));
const Shell = lazyPage(() => import("./shell/Shell.tsx").then((module) => module.Shell));

const publicPages = [
  { path: "/login", Page: lazyPage(() => import("./accounts/LoginPage.tsx").then((module) => module.LoginPage)) },
  {
    path: "/register",
    Page: lazyPage(() => import("./accounts/RegisterPage.tsx").then((module) => module.RegisterPage)),
  },
  {
    path: "/forgot-password",
    Page: lazyPage(() => import("./accounts/ForgotPasswordPage.tsx").then((module) => module.ForgotPasswordPage)),
  },
  {
    path: "/reset-password",
    Page: lazyPage(() => import("./accounts/ResetPasswordPage.tsx").then((module) => module.ResetPasswordPage)),
  },
  { path: "/setup", Page: lazyPage(() => import("./accounts/SetupPage.tsx").then((module) => module.SetupPage)) },
];

const protectedPages = [
  { path: "/", Page: lazyPage(() => import("./dashboard/DashboardPage.tsx").then((module) => module.DashboardPage)) },
  { path: "/sops", Page: lazyPage(() => import("./sops/SopsPage.tsx").then((module) => module.SopsPage)) },
  {
    path: "/favorites",
    Page: lazyPage(() => import("./marks/FavoritesPage.tsx").then((module) => module.FavoritesPage)),
  },
  { path: "/recent", Page: lazyPage(() => import("./marks/RecentPage.tsx").then((module) => module.RecentPage)) },
  {
    path: "/pending",
    Page: lazyPage(() => import("./approvals/PendingPage.tsx").then((module) => module.PendingPage)),
  },
  {
    path: "/category/:id",
    Page: lazyPage(() => import("./categories/CategoryPage.tsx").then((module) => module.CategoryPage)),
  },
  {
    path: "/admin/companies",
    Page: lazyPage(() => import("./companies/CompaniesPage.tsx").then((module) => module.CompaniesPage)),
  },
  {
    path: "/admin/companies/:id/users",
    Page: lazyPage(() => import("./companies/CompanyUsersPage.tsx").then((module) => module.CompanyUsersPage)),
  },
  {
    path: "/admin/company",
    Page: lazyPage(() => import("./company/CompanyPage.tsx").then((module) => module.CompanyPage)),
  },
  { path: "/admin/teams", Page: lazyPage(() => import("./teams/TeamsPage.tsx").then((module) => module.TeamsPage)) },
  { path: "/admin/audit", Page: lazyPage(() => import("./audit/AuditPage.tsx").then((module) => module.AuditPage)) },
  { path: "/admin/users", Page: lazyPage(() => import("./users/UsersPage.tsx").then((module) => module.UsersPage)) },
  {
    path: "/settings",
    Page: lazyPage(() => import("./settings/SettingsPage.tsx").then((module) => module.SettingsPage)),
  },
  { path: "/sop/new", Page: SopEditPage },
  { path: "/sop/:id/edit", Page: SopEditPage },
  {
    path: "/sop/:id/compare",
    Page: lazyPage(() => import("./sops/ComparePage.tsx").then((module) => module.ComparePage)),
  },
  { path: "/sop/:id", Page: lazyPage(() => import("./sops/SopViewPage.tsx").then((module) => module.SopViewPage)) },
];

/** Starts loading what an address needs while it is still being asked who is there. */
export function preloadFor(pathname: string) {
  publicPages.find(({ path }) => matchPath(path, pathname))?.Page.preload();
  const page = protectedPages.find(({ path }) => matchPath(path, pathname));
  if (!page) return;
  Shell.preload();
  page.Page.preload();
}

export function Screens() {
  return (
    <Routes>
      {publicPages.map(({ path, Page }) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
      <Route
        element={
          <Guard>
            <Shell />
          </Guard>
        }
      >
        {protectedPages.map(({ path, Page }) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
