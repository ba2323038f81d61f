import { defineConfig } from "tsup";

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

export default defineConfig([
  {
    ...common,
    entry: {
      server: "server/main.ts",
      admin: "server/admin/main.ts",
      "render-worker": "server/render/worker.ts",
      "import-worker": "server/sops/import/convert-worker.ts",
      pdf: "server/export/worker.ts",
      "memory-guard": "server/export/memory-guard.ts",
      "search-builder": "server/search/builder.ts",
      "damage-worker": "server/database/sqlite/damage-worker.ts",
      "search-worker": "server/search/worker.ts",
    },
    splitting: true,
  },
  { ...common, entry: { core: "core/index.ts" }, platform: "neutral" as const, splitting: false },
  {
    ...common,
    entry: { sop: "cli/main.ts", "lint-worker": "cli/lint/worker.ts" },
    splitting: true,
    banner: { js: "#!/usr/bin/env node" },
  },
]);
