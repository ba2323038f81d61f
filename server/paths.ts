/** Finds the paths of the product's own files. The product runs from source or from the bundle in `dist/`. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

function findRoot(from: string): string {
  for (let dir = from; ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, "templates", "sops"))) return dir;
    if (dir === path.dirname(dir)) throw new Error("the product's own files are incomplete: templates/ is missing");
  }
}

const root = findRoot(path.dirname(fileURLToPath(import.meta.url)));

export const paths = {
  root,
  web: path.join(root, "dist", "web"),
  packages: path.join(root, "dist", "packages"),
  templates: path.join(root, "templates", "sops"),
  plainTemplate: path.join(root, "templates", "workspace", "templates", "standard.md"),
  demo: path.join(root, "templates", "demo"),
} as const;

/** Reads the version of the product from `package.json`. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  return version;
}
