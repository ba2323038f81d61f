import { defineConfig } from "vitest/config";

const node = { environment: "node" as const, testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { ...node, name: "core", include: ["core/**/*.test.ts"] } },
      { extends: true, test: { ...node, name: "server", include: ["server/**/*.test.ts"] } },
      { extends: true, test: { ...node, name: "cli", include: ["cli/**/*.test.ts"] } },
      { extends: true, test: { ...node, name: "whole", include: ["test/**/*.test.ts"] } },
      { extends: true, test: { name: "web", environment: "jsdom", include: ["web/**/*.test.{ts,tsx}"] } },
    ],
  },
});
