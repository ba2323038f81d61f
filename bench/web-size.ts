/** `bench web:size`: gzip KiB of what each screen loads first, and of every chunk, against its budget. */
import type { Figure } from "./figure.ts";
import { gzipSync } from "node:zlib";
import { build, type Rollup } from "vite";

type Chunk = Rollup.OutputChunk;

export interface Built {
  chunks: Chunk[];
  css: Rollup.OutputAsset[];
}

/** KiB; more than this is a failure of `web/size.test.ts`. */
export const budgets = {
  route: 190,
  signIn: 150,
  editor: 190,
  css: 20,
};

const shell = "web/shell/Shell.tsx";
export const screens: readonly { name: string; modules: readonly string[]; budget: number }[] = [
  { name: "/login", modules: ["web/accounts/LoginPage.tsx"], budget: budgets.signIn },
  { name: "/register", modules: ["web/accounts/RegisterPage.tsx"], budget: budgets.route },
  { name: "/forgot-password", modules: ["web/accounts/ForgotPasswordPage.tsx"], budget: budgets.route },
  { name: "/reset-password", modules: ["web/accounts/ResetPasswordPage.tsx"], budget: budgets.route },
  { name: "/confirm-email", modules: ["web/accounts/ConfirmEmailPage.tsx"], budget: budgets.route },
  { name: "/setup", modules: ["web/accounts/SetupPage.tsx"], budget: budgets.route },
  { name: "/", modules: [shell, "web/dashboard/DashboardPage.tsx"], budget: budgets.route },
  { name: "/sops", modules: [shell, "web/sops/SopsPage.tsx"], budget: budgets.route },
  { name: "/pending", modules: [shell, "web/approvals/PendingPage.tsx"], budget: budgets.route },
  { name: "/favorites", modules: [shell, "web/marks/FavoritesPage.tsx"], budget: budgets.route },
  { name: "/recent", modules: [shell, "web/marks/RecentPage.tsx"], budget: budgets.route },
  { name: "/category/:id", modules: [shell, "web/categories/CategoryPage.tsx"], budget: budgets.route },
  { name: "/sop/:id", modules: [shell, "web/sops/SopViewPage.tsx"], budget: budgets.route },
  { name: "/sop/:id/edit", modules: [shell, "web/sops/SopEditPage.tsx"], budget: budgets.route },
  { name: "/sop/:id/compare", modules: [shell, "web/sops/ComparePage.tsx"], budget: budgets.route },
  { name: "/settings", modules: [shell, "web/settings/SettingsPage.tsx"], budget: budgets.route },
  { name: "/admin/company", modules: [shell, "web/company/CompanyPage.tsx"], budget: budgets.route },
  { name: "/admin/companies", modules: [shell, "web/companies/CompaniesPage.tsx"], budget: budgets.route },
  {
    name: "/admin/companies/:id/users",
    modules: [shell, "web/companies/CompanyUsersPage.tsx"],
    budget: budgets.route,
  },
  { name: "/admin/teams", modules: [shell, "web/teams/TeamsPage.tsx"], budget: budgets.route },
  { name: "/admin/audit", modules: [shell, "web/audit/AuditPage.tsx"], budget: budgets.route },
  { name: "/admin/users", modules: [shell, "web/users/UsersPage.tsx"], budget: budgets.route },
];

/** A build in memory: nothing is written. */
export async function buildWeb(): Promise<Built> {
  // a test runner's NODE_ENV would bring React's development build
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

/** What is loaded before a screen can show: the entry, its own chunk, and all they import. */
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

/** The screens this tree has, with the budget each must keep. */
export function screenFigures(chunks: readonly Chunk[]): (Figure & { peer: number })[] {
  return screens
    .filter(({ modules }) =>
      modules.every((module) => chunks.some((chunk) => chunk.moduleIds.some((id) => id.endsWith(module)))),
    )
    .map(({ name, modules, budget }) => figure(`web-size initial JS ${name}`, sum(loadedFor(chunks, modules)), budget));
}

const editor = "web/editor/MarkdownEditor.tsx";

/** What opening the editor loads besides what its screen has loaded, preview and the like apart. */
export function editorFigure(chunks: readonly Chunk[]): Figure & { peer: number } {
  const before = new Set(loadedFor(chunks, [shell, "web/sops/EditForm.tsx"]));
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

/** One figure a screen, one a chunk of a KiB or more, CSS and all JS, which has no budget; `peer` is the budget. */
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
