import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compileMessages } from "./bin/compile-messages.ts";

/** The package gives every bundler its development build, whose warnings need more code. */
const router = (file: string) => `${import.meta.dirname}/node_modules/react-router/dist/production/${file}.mjs`;

export default defineConfig({
  root: "web",
  plugins: [compileMessages(), react(), tailwindcss()],
  resolve: {
    alias: [
      { find: /^react-router$/, replacement: router("index") },
      { find: /^react-router\/dom$/, replacement: router("dom-export") },
    ],
  },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // no inline script, style or data URL: the content security policy is `script-src 'self'`
    assetsInlineLimit: 0,
    // the terms of what is bundled: the package of the server has them
    license: true,
    modulePreload: { polyfill: false },
    target: "es2023",
    // the first ones with `light-dark()`: fallbacks for older ones would double the tokens
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: "web/index.html", prefetch: "web/prefetch.ts" },
      output: {
        // the page names `prefetch.js` itself: Vite knows one script of a page
        entryFileNames: (chunk) => (chunk.name === "prefetch" ? "prefetch.js" : "assets/[name]-[hash].js"),
        codeSplitting: {
          // without these, the dashboard is 78 files, and over HTTP/1.1 each six of them cost a round trip
          groups: [
            { name: "prefetched-reads", test: /\/web\/(prefetched-reads|screens|no-eval)\.ts$/ },
            { name: "shared", minShareCount: 17 },
          ],
          experimentalInlineCommonChunks: { maxSize: 2_000 },
        },
      },
    },
  },
  server: { port: 5173, proxy: { "/api": "http://localhost:3000" } },
});
