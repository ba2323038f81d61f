import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];
type BuildOptions = Parameters<NonNullable<Options["esbuildOptions"]>>[0];

const common = {
  format: ["esm" as const],
  platform: "node" as const,
  target: "node24",
  outDir: "dist",
  clean: false,
  dts: false,
  sourcemap: false,
  silent: true,
  removeNodeProtocol: false,
};

const builtin = new RegExp(`^(?:node:.*|(?:${builtinModules.join("|")}))$`);

/** What it needs of two modules that take long to load: it starts no subcommands as programs, and our help has no colors. */
const forCommander: Record<string, string> = {
  child_process: "module.exports = {};",
  util: "module.exports = { stripVTControlCharacters: (text) => text };",
};

const builtinOf = (name: string) => `process.getBuiltinModule("node:${name}")`;

/** Only the names that are imported stay. */
function exportsOf(name: string): string {
  const names = Object.keys(process.getBuiltinModule(`node:${name}`) as object).filter(
    (one) => /^[A-Za-z_$][\w$]*$/.test(one) && one !== "default",
  );
  const lines = names.map(
    (one, at) => `const a${at} = /* @__PURE__ */ (() => it.${one})(); export { a${at} as ${one} };`,
  );
  return [`const it = /* @__PURE__ */ ${builtinOf(name)};`, "export default it;", ...lines].join("\n");
}

/** With these modules, only what is used is bundled. Node's own choice is their CommonJS. */
const smaller = {
  "isomorphic-git": "node_modules/isomorphic-git/index.js",
  yaml: "node_modules/yaml/browser/index.js",
};

/**
 * What a package bundles and never runs: the prompt that opens an editor, words in 50 languages, the
 * YAML of gray-matter (`core/markdown/read-file.ts` reads it with ours), and the calls of a provider other than chat.
 */
const leftOut = [
  { filter: /external-editor[\\/]dist[\\/]/, keeps: /^$/, contents: "export const editAsync = undefined;" },
  { filter: /zod[\\/]v4[\\/]locales[\\/]/, keeps: /[\\/](?:en|index)\.js$/, contents: "export default () => ({});" },
  { filter: /js-yaml[\\/]index\.js$/, keeps: /^$/, contents: "exports.safeLoad = exports.safeDump = () => ({});" },
  {
    filter: /openai[\\/]resources[\\/](?:admin[\\/]admin|beta[\\/]beta|responses[\\/]responses)\.mjs$/,
    keeps: /^$/,
    contents: "export class Admin {} export class Beta {} export class Responses {}",
  },
];

/** Sets PDFs and Word files in a process of its own, beside the program that starts it. */
const printing = { pdf: "server/export/worker.ts", "memory-guard": "server/export/memory-guard.ts" };

/** A package of its own (`bin/pack.ts`), with everything in it but what is native. */
const bundled = {
  ...common,
  splitting: true,
  minify: true,
  metafile: true,
  noExternal: [/^(?!sharp$|@napi-rs\/|@node-rs\/|@myriaddreamin\/)/],
  banner: { js: "#!/usr/bin/env node" },
  esbuildOptions(options: BuildOptions) {
    // `import()` of a package in CommonJS would lose its named exports
    options.mainFields = ["module", "main"];
    options.charset = "utf8";
    options.legalComments = "none";
  },
  esbuildPlugins: [
    {
      name: "smaller",
      setup({ onLoad, onResolve }) {
        for (const [name, file] of Object.entries(smaller)) {
          onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: join(import.meta.dirname, file) }));
        }
        // `import` of a module of Node reads all that it exports: `process` opens stdin, and each takes a millisecond.
        // Each file gets a line of its own instead of one more file to load
        onResolve({ filter: builtin }, ({ path, importer, kind }) => ({
          path: `${importer} ${kind === "require-call" ? "requires" : "imports"} ${path.replace(/^node:/, "")}`,
          namespace: "builtin",
        }));
        onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => {
          const [, importer = "", way = "", name = ""] = /^(.*) (requires|imports) (\S+)$/.exec(path) ?? [];
          const own = /[\\/]commander[\\/]/.test(importer) ? forCommander[name] : undefined;
          return { contents: own ?? (way === "requires" ? `module.exports = ${builtinOf(name)};` : exportsOf(name)) };
        });
        for (const { filter, keeps, contents } of leftOut) {
          onLoad({ filter }, ({ path }) => (keeps.test(path) ? undefined : { contents }));
        }
      },
    } satisfies Plugin,
  ],
};

export default defineConfig([
  { ...common, entry: { core: "core/index.ts" }, platform: "neutral" as const, splitting: false },
  {
    ...common,
    entry: { sop: "cli/main.ts", "lint-worker": "cli/lint/worker.ts", ...printing },
    splitting: true,
    banner: { js: "#!/usr/bin/env node" },
  },
  {
    ...bundled,
    outDir: "dist/server",
    entry: {
      "sopwright-server": "server/program.ts",
      main: "server/main.ts",
      admin: "server/admin/main.ts",
      "render-worker": "server/render/worker.ts",
      "import-worker": "server/sops/import/convert-worker.ts",
      "search-builder": "server/search/builder.ts",
      "checkpoint-worker": "server/database/sqlite/checkpoint-worker.ts",
      "backup-worker": "server/backup/worker.ts",
      "damage-worker": "server/database/sqlite/damage-worker.ts",
      "search-worker": "server/search/worker.ts",
      ...printing,
    },
  },
  {
    ...bundled,
    target: "node22",
    outDir: "dist/terminal",
    entry: { sop: "cli/main.ts", "lint-worker": "cli/lint/worker.ts", ...printing },
    esbuildPlugins: [
      ...bundled.esbuildPlugins,
      {
        name: "one file that starts",
        setup({ onLoad }) {
          // what starts is a part of every command, so it's one file instead of one for each group of commands that share it
          onLoad({ filter: /[\\/]cli[\\/].+\.ts$/ }, async ({ path }) => {
            if (/[\\/]cli[\\/](?:main|oldest-node|program|lint[\\/](?:worker|job|memory))\.ts$/.test(path))
              return undefined;
            const start = JSON.stringify(join(import.meta.dirname, "cli/program.ts"));
            return { contents: `import ${start};\n${await readFile(path, "utf8")}`, loader: "ts" };
          });
        },
      },
    ],
  },
  // `export --format site` writes it beside the pages
  {
    ...common,
    format: ["iife"],
    platform: "browser",
    target: "es2020",
    outDir: "dist/terminal",
    outExtension: () => ({ js: ".js" }),
    entry: { "minisearch.umd": "node_modules/minisearch/dist/umd/index.js" },
    bundle: false,
    minify: true,
  },
]);
