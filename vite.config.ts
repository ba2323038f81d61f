import { fileURLToPath } from "node:url";
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
  { name: "shell", test: /[\\/]web[\\/](shell[\\/]Shell|ui[\\/]lazy-view)\.tsx$/ },
  // before the schemas: who needs a limit or a rule needs no zod
  {
    name: "rules",
    test: /[\\/]core[\\/](.*[\\/](actions|actor|glossary|names|rules|states|fold)|limits|search-keys)\.ts$/,
  },
  // what opens late stays out of it
  {
    name: "kit",
    test: /[\\/]web[\\/](ui[\\/](?!(\w*Menu|\w*Window|DataTable|Overlay|Tabs|ToastRegion)\.tsx$)|(\w+[\\/])?(use-(ai|list-keys|pages|sop-list|url-filters)|upload-asset|DeadEnd|ListSearch|ShowingFor|StarButton)\.)|[\\/]lucide-react[\\/]/,
    minShareCount: 2,
  },
  // what the edit page and the comparison need of the SOP page
  {
    name: "sop-parts",
    test: /[\\/]web[\\/]sops[\\/](Article|SopNotFound|history-title|version-texts|view-texts)\.tsx?$/,
  },
  // the SOP page says two words of the lists
  { name: "list-texts", test: /[\\/]web[\\/]sops[\\/]texts\.ts$/ },
  { name: "lists", test: /[\\/](Category|Dashboard|Favorites|Recent|Sops)Page\.tsx$/ },
  { name: "sop", test: /[\\/]SopViewPage\.tsx$/ },
  { name: "windows", test: /[\\/]web[\\/]ui[\\/](Alert|Dialog|Sheet)Window\.tsx$/ },
  { name: "roving", test: /[\\/]react-roving-focus[\\/]/ },
  { name: "menus", test: /[\\/]web[\\/]ui[\\/](DropdownMenu|RowMenuItems)\.tsx$/ },
  { name: "forms", test: /[\\/](react-hook-form[\\/]|use-server-form\.ts$)/ },
  // of the settings and the categories, which others than administrators open
  {
    name: "shared-settings",
    test: /[\\/]web[\\/](ai[\\/]Usage|approvals[\\/]RuleFields|categories[\\/]category-values)\.tsx?$/,
  },
  { name: "schemas", test: /[\\/]node_modules[\\/]zod[\\/]|-resolvers?\.ts$/ },
  // the audit log says them too
  { name: "permission-texts", test: /[\\/]web[\\/]permissions[\\/]texts\.ts$/ },
  { name: "permissions", test: /[\\/]web[\\/]permissions[\\/]\w+Dialog\.tsx$/ },
  { name: "approvals", test: /[\\/]web[\\/]approvals[\\/](approval-words|texts|use-decision)\.ts$/ },
  // what opens together, or one after the other: a file each weighs more
  {
    name: "approval-parts",
    test: /[\\/]web[\\/]approvals[\\/](ApprovalPanel|DecisionButtons|RequestDialog|RequestView|SentBack)\.tsx$/,
  },
  { name: "palette", test: /[\\/]web[\\/](palette[\\/](Palette|ShortcutSheet)|search[\\/]SearchResults)\.tsx$/ },
  { name: "sop-windows", test: /[\\/]web[\\/](reviews[\\/]ReviewDialog|sops[\\/](LinkDialog|ViewConfirm))\.tsx$/ },
  { name: "readers", test: /[\\/]web[\\/]acknowledgements[\\/](AskDialog|MatrixDialog)\.tsx$/ },
  {
    name: "tables",
    test: /[\\/]web[\\/](ui[\\/](DataTable|RowMenu)|shell[\\/]AccessDenied|companies[\\/]plan-label)\.tsx?$/,
  },
  { name: "administration", test: /[\\/]web[\\/](companies|company|teams|users)[\\/]\w+Page\.tsx$/ },
  // what the lists of administration open
  {
    name: "administration-windows",
    test: /[\\/]web[\\/](companies|company|teams|users)[\\/]\w+(Dialog|Sections)\.tsx$/,
  },
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

/**
 * Names that libraries give their functions for who debugs them: each is a statement that keeps what it names in the
 * build, used or not, as a component is kept that nothing marks as free of effects.
 */
const withoutDebugNames: Plugin = {
  name: "without-debug-names",
  apply: "build",
  transform: {
    filter: { id: /[\\/]node_modules[\\/](@radix-ui|react-router)[\\/]/ },
    handler: (code) =>
      code
        .replace(/^var __name = .*$/m, "var __name = /* @__NO_SIDE_EFFECTS__ */ (target) => target;")
        .replace("ENABLE_DEV_WARNINGS = true", "ENABLE_DEV_WARNINGS = false")
        .replace(/^\w+\.displayName = .*;$/gm, "")
        .replace(/(?<== )(?=React\d*\.(createContext|forwardRef|memo)\()/g, "/* @__PURE__ */ "),
  },
};

/** Each stroke of an icon has six random letters for a key, which is what compresses least; its place does as well. */
const shortIconKeys: Plugin = {
  name: "short-icon-keys",
  apply: "build",
  transform: {
    filter: { id: /[\\/]lucide-react[\\/].*[\\/]icons[\\/]/ },
    handler: (code) => {
      let place = 0;
      return code.replace(/\bkey: "\w+"/g, () => `key: "${(place += 1)}"`);
    },
  },
};

/** Schemas write themselves as JSON Schema for the API's document; no screen asks one to. */
const withoutJsonSchemas: Plugin = {
  name: "without-json-schemas",
  apply: "build",
  transform: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
    handler: (code) =>
      code
        .replace(/^ +inst\._zod\.processJSONSchema = .*;$/gm, "")
        .replace(/create(Standard|To)JSONSchemaMethod\(this, .*?\)/g, "undefined"),
  },
};

/**
 * What Tailwind writes for browsers that don't know `@property`: the oldest of `cssTarget` do. It is one rule whose layer is
 * named nowhere else but in the order of the layers.
 */
const withoutOldBrowsers: Plugin = {
  name: "without-old-browsers",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
      const css = String(file.source);
      const from = css.indexOf("@layer properties{@supports");
      if (from !== -1) file.source = css.slice(0, from) + css.slice(endOfBlock(css, from));
    }
  },
};

/** After the brace that closes the first one. */
function endOfBlock(css: string, from: number): number {
  let depth = 0;
  for (let at = css.indexOf("{", from); at < css.length; at += 1) {
    if (css[at] === "{") depth += 1;
    else if (css[at] === "}" && (depth -= 1) === 0) return at + 1;
  }
  throw new Error("a style sheet ends within a rule");
}

const scrollLock = fileURLToPath(new URL("web/ui/no-scroll-lock.ts", import.meta.url));

export default defineConfig({
  root: "web",
  resolve: { alias: { "react-remove-scroll": scrollLock } },
  plugins: [
    withoutSummaries,
    withoutDebugNames,
    withoutJsonSchemas,
    shortIconKeys,
    earlyScript,
    react(),
    tailwindcss(),
    withoutOldBrowsers,
  ],
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
      // a slow machine is no fault of the build
      checks: { bundlerTimings: false },
    },
  },
  server: { port: 5173, proxy: { "/api": "http://localhost:3000" } },
});
