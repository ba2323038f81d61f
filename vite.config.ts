import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * Files by what is loaded together; left alone, every module shared by two screens is a file of its own, and a
 * hundred small files weigh more than what they hold. A group takes the modules it names with all they import that
 * no group before it took: so what many screens share stands before the screens, and what only administrators open
 * stands last, where no other screen can meet it (`bench web:size`, `web/size.test.ts`).
 */
const groups = [
  // before all libraries: what it is there for is not to wait for them
  { name: "early", test: /[\\/]web[\\/](early|head-start|no-eval|screens)\.ts$|vite[\\/]preload-helper/ },
  // one file that changes only with a dependency, so that a deploy leaves it in the browser's cache
  {
    name: "vendor",
    test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack[\\/](react-query|query-core)|clsx|class-variance-authority)[\\/]/,
  },
  { name: "start", tags: ["$initial" as const] },
  { name: "icons", test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 3 },
  // before the shell: the sign-in has fields, and no shell
  { name: "fields", test: /[\\/]web[\\/]ui[\\/](Alert|Card|Field|Form|Input|lazy-resolver|server-errors)\.tsx?$/ },
  { name: "shell", test: /[\\/]web[\\/]shell[\\/]Shell\.tsx$/ },
  // before the schemas: who needs a limit or a rule needs no zod
  { name: "rules", test: /[\\/]core[\\/](.*[\\/](actions|actor|glossary|names|rules|states)|limits)\.ts$/ },
  // what opens late stays out of it
  {
    name: "kit",
    test: /[\\/]web[\\/](ui[\\/](?!(\w*Menu|\w*Window|DataTable|Overlay|Tabs|ToastRegion)\.tsx$)|(\w+[\\/])?(use-(ai|list-keys|pages|sop-list|url-filters)|upload-asset|DeadEnd|ListSearch|ShowingFor|StarButton)\.)|[\\/]lucide-react[\\/]/,
    minShareCount: 2,
  },
  // the edit page says "not found" in the words of the SOP page, and needs no more of it
  { name: "sop-texts", test: /[\\/]web[\\/]sops[\\/](version|view)-texts\.ts$/ },
  // the SOP page says two words of the lists
  { name: "list-texts", test: /[\\/]web[\\/]sops[\\/]texts\.ts$/ },
  { name: "lists", test: /[\\/](Category|Dashboard|Favorites|Recent|Sops)Page\.tsx$/ },
  { name: "sop", test: /[\\/]SopViewPage\.tsx$/ },
  { name: "windows", test: /[\\/]web[\\/]ui[\\/](Alert|Dialog|Sheet)Window\.tsx$/ },
  { name: "roving", test: /[\\/]react-roving-focus[\\/]/ },
  { name: "menus", test: /[\\/]web[\\/]ui[\\/]DropdownMenu\.tsx$/ },
  { name: "forms", test: /[\\/](react-hook-form[\\/]|use-server-form\.ts$)/ },
  // of the settings and the categories, which others than administrators open
  {
    name: "shared-settings",
    test: /[\\/]web[\\/](ai[\\/]Usage|approvals[\\/]RuleFields|categories[\\/]category-values)\.tsx?$/,
  },
  { name: "schemas", test: /[\\/]node_modules[\\/]zod[\\/]|-resolvers?\.ts$/ },
  { name: "permissions", test: /[\\/]web[\\/]permissions[\\/]/ },
  { name: "approvals", test: /[\\/]web[\\/]approvals[\\/](approval-words|texts|use-decision)\.ts$/ },
  { name: "administration", test: /[\\/]web[\\/](audit|companies|company|teams|users)[\\/]\w+Page\.tsx$/ },
];

/** `early.ts` stands before the application in the page, in a file of its own. */
const earlyScript: Plugin = {
  name: "early-script",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (html, { bundle }) => {
      const early = Object.values(bundle ?? {}).find((file) => file.type === "chunk" && file.name === "early");
      if (!early) throw new Error("early.ts was not built");
      return html.replace(
        '<script type="module"',
        `<script type="module" async crossorigin src="/${early.fileName}"></script>\n    $&`,
      );
    },
  },
};

/** Rows of the contract say for the API's document what they are for; no screen reads that. */
const withoutSummaries: Plugin = {
  name: "without-summaries",
  enforce: "pre",
  transform: {
    filter: { id: /[\\/]core[\\/][^\\/]+[\\/]routes\.ts$/ },
    handler: (code) => code.replace(/^ +summary:\s+(["`]).*\1,$/gm, 'summary: "",'),
  },
};

export default defineConfig({
  root: "web",
  plugins: [withoutSummaries, earlyScript, react(), tailwindcss()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // no inline script, style or data URL: the content security policy is `script-src 'self'`
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    // the oldest browsers that Tailwind's own rules work in: they know oklch, so no colour is written twice
    cssTarget: ["chrome111", "firefox128", "safari16.4"],
    reportCompressedSize: false,
    // both, terser first: all JS is 552 KiB gzip, with one pass 554, with terser alone 557, with Rolldown's own minifier
    // alone 560; the price is some ten seconds of every build
    minify: "terser",
    terserOptions: { compress: { passes: 2 }, format: { comments: false } },
    rolldownOptions: {
      input: { index: "web/index.html", early: "web/early.ts" },
      output: { minify: true, codeSplitting: { groups } },
    },
  },
  server: { port: 5173, proxy: { "/api": "http://localhost:3000" } },
});
