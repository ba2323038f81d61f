import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** What every screen needs, the sign-in too. */
const vendor =
  /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack[\\/](react-query|query-core)|clsx|class-variance-authority)[\\/]/;

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
  plugins: [withoutSummaries, react(), tailwindcss()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // no inline script, style or data URL: the content security policy is `script-src 'self'`
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // one file that changes only with a dependency, so that a deploy leaves it in the browser's cache
        codeSplitting: {
          groups: [
            { name: "vendor", test: vendor },
            // a file of its own for each icon weighs more than the icons
            { name: "icons", test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 6 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { "/api": "http://localhost:3000" } },
});
