/** `bench web:size`: gzip KiB that each screen loads first, and of every chunk, against its budget. */
import type { Figure } from "./figure.ts";
import { gzipSync } from "node:zlib";
import { build, type Rollup } from "vite";

type Chunk = Rollup.OutputChunk;

export interface Built {
  chunks: Chunk[];
  css: Rollup.OutputAsset[];
}

/** In KiB; `web/size.test.ts` fails above it. */
export const budgets = {
  route: 210,
  signIn: 150,
  editor: 190,
  css: 20,
};

const shell = "web/shell/Shell.tsx";
const signedOut = {
  "/login": "web/sign-in/LoginPage.tsx",
  "/register": "web/sign-in/RegisterPage.tsx",
  "/forgot-password": "web/sign-in/ForgotPasswordPage.tsx",
  "/reset-password": "web/sign-in/ResetPasswordPage.tsx",
  "/confirm-email": "web/sign-in/ConfirmEmailPage.tsx",
  "/setup": "web/sign-in/SetupPage.tsx",
};
const signedIn = {
  "/": "web/dashboard/DashboardPage.tsx",
  "/sops": "web/sops/list/SopsPage.tsx",
  "/proposals": "web/proposals/ProposalsPage.tsx",
  "/proposals/:id": "web/proposals/ProposalPage.tsx",
  "/confirmations": "web/acknowledgements/ConfirmationsPage.tsx",
  "/pending": "web/approvals/PendingPage.tsx",
  "/favorites": "web/favorites/FavoritesPage.tsx",
  "/recent": "web/favorites/RecentPage.tsx",
  "/category/:id": "web/categories/CategoryPage.tsx",
  "/sop/:id": "web/sops/view/SopViewPage.tsx",
  "/sop/:id/steps": "web/sops/steps/StepsPage.tsx",
  "/sop/:id/edit": "web/sops/edit/SopEditPage.tsx",
  "/sop/:id/compare": "web/sops/diff/ComparePage.tsx",
  "/settings": "web/settings/SettingsPage.tsx",
  "/settings/:topic": "web/settings/SettingsPage.tsx",
  "/admin/server": "web/status/ServerPage.tsx",
  "/admin/company": "web/companies/own/CompanyPage.tsx",
  "/admin/company/:topic": "web/companies/own/CompanyPage.tsx",
  "/start": "web/start/StartPage.tsx",
  "/admin/companies": "web/companies/CompaniesPage.tsx",
  "/admin/companies/:id/users": "web/companies/CompanyUsersPage.tsx",
  "/admin/teams": "web/teams/TeamsPage.tsx",
  "/admin/audit": "web/audit/AuditPage.tsx",
  "/admin/users": "web/users/UsersPage.tsx",
};

export const screens: readonly { name: string; modules: readonly string[]; budget: number }[] = [
  ...Object.entries(signedOut).map(([name, page]) => ({ name, modules: [page] })),
  ...Object.entries(signedIn).map(([name, page]) => ({ name, modules: [shell, page] })),
].map((screen) => ({ ...screen, budget: screen.name === "/login" ? budgets.signIn : budgets.route }));

/** A build in memory: nothing is written. */
export async function buildWeb(): Promise<Built> {
  // a test runner's NODE_ENV would load React's development build
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  const built = (await build({ configFile: "vite.config.ts", logLevel: "error", build: { write: false } }).finally(
    () => {
      if (before === undefined) delete process.env["NODE_ENV"];
      else process.env["NODE_ENV"] = before;
    },
  )) as Rollup.RollupOutput | Rollup.RollupOutput[];
  const output = [built].flat().flatMap((one) => one.output);
  return {
    chunks: output.filter((file) => file.type === "chunk"),
    css: output.filter((file) => file.type === "asset").filter((file) => file.fileName.endsWith(".css")),
  };
}

/** What must load before a screen can show: the entry, its own chunk, and all their imports. */
export function loadedFor(chunks: readonly Chunk[], modules: readonly string[]): Chunk[] {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const entry = chunks.filter((chunk) => chunk.isEntry);
  const own = modules.map((module) => chunks.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(module))));
  const loaded = new Set<Chunk>();
  const load = (chunk: Chunk | undefined) => {
    if (!chunk || loaded.has(chunk)) return;
    loaded.add(chunk);
    for (const file of chunk.imports) load(byFile.get(file));
  };
  for (const chunk of [...entry, ...own]) load(chunk);
  return [...loaded];
}

/** The screens of this source tree, with the budget of each. */
export function screenFigures(chunks: readonly Chunk[]): (Figure & { peer: number })[] {
  return screens
    .filter(({ modules }) =>
      modules.every((module) => chunks.some((chunk) => chunk.moduleIds.some((id) => id.endsWith(module)))),
    )
    .map(({ name, modules, budget }) => figure(`web-size initial JS ${name}`, sum(loadedFor(chunks, modules)), budget));
}

const editor = "web/editor/MarkdownEditor.tsx";

/** What the editor loads in addition to its screen, without parts such as the preview. */
export function editorFigure(chunks: readonly Chunk[]): Figure & { peer: number } {
  const before = new Set(loadedFor(chunks, [shell, "web/sops/edit/EditForm.tsx"]));
  const added = loadedFor(chunks, [editor]).filter((chunk) => !before.has(chunk));
  return figure("web-size editor", sum(added), budgets.editor);
}

export function cssFigure({ css }: Built): Figure & { peer: number } {
  return figure(
    "web-size CSS",
    css.reduce((total, file) => total + kib(file.source), 0),
    budgets.css,
  );
}

/** One figure for each screen, each chunk of at least a KiB, CSS and all JS. All JS has no budget; `peer` is the budget. */
export async function run(): Promise<Figure[]> {
  const built = await buildWeb();
  const { chunks } = built;
  const big = chunks.map((chunk) => ({ chunk, size: kib(chunk.code) })).filter(({ size }) => size >= 1);
  return [
    ...screenFigures(chunks),
    editorFigure(chunks),
    cssFigure(built),
    { name: "web-size all JS", value: round(sum(chunks)), unit: "KiB gzip" },
    ...big
      .toSorted((a, b) => b.size - a.size)
      .map(({ chunk, size }) => ({ name: `web-size chunk ${chunk.name}`, value: round(size), unit: "KiB gzip" })),
  ];
}

function figure(name: string, value: number, budget: number): Figure & { peer: number } {
  return { name, value: round(value), unit: "KiB gzip", peer: budget, ratio: round(value / budget) };
}

function sum(chunks: readonly Chunk[]): number {
  return chunks.reduce((total, chunk) => total + kib(chunk.code), 0);
}

function kib(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length / 1024;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) {
  for (const one of await run()) console.log(JSON.stringify(one));
}
