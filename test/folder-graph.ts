/** Imports between the folders of a layer. Only values count, because types cost nothing when the program runs. */
import { readFileSync } from "node:fs";
import path from "node:path";

export interface FolderImport {
  from: string;
  to: string;
  /** A line for each import of a file: the file, an arrow, the imported file. */
  files: string[];
}

const statement = /^(?:import|export)\s+(?!type\s)([^;"]*?)from\s+"([^"]+)"|import\("([^"]+)"\)/gmsu;

/** Says whether a clause like `{ type A, type B }` names only types. */
function isTypesAlone(clause: string): boolean {
  const names = /^\{([^}]*)\}\s*$/u
    .exec(clause.trim())?.[1]
    ?.split(",")
    .filter((name) => name.trim() !== "");
  return names !== undefined && names.length > 0 && names.every((name) => name.trim().startsWith("type "));
}

/**
 * @param file the file with the import
 * @param name the imported name in the source
 * @returns the imported file, relative to the root
 */
function targetOf(file: string, name: string): string | null {
  if (name.startsWith("#core/")) return `core/${name.slice("#core/".length)}`;
  return name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : null;
}

/** The folder of a file. A file beside the folders counts as a folder of its own. */
export function folderOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

/** @param files the files of a layer, relative to `root` */
export function folderImports(root: string, files: readonly string[]): FolderImport[] {
  const imports = new Map<string, FolderImport>();
  const known = new Set(files);
  for (const file of files) {
    for (const [, clause = "", named, dynamic] of readFileSync(path.join(root, file), "utf8").matchAll(statement)) {
      const target = targetOf(file, named ?? dynamic ?? "");
      if (target === null || !known.has(target) || isTypesAlone(clause)) continue;
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === to) continue;
      const key = `${from} ${to}`;
      const found = imports.get(key) ?? { from, to, files: [] };
      found.files.push(`${file} -> ${target}`);
      imports.set(key, found);
    }
  }
  return [...imports.values()];
}

/** Groups of folders that reach each other, by the algorithm of Tarjan. A single folder is no cycle. */
export function folderCycles(imports: readonly FolderImport[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (folder: string): number => {
    const number = order.size;
    order.set(folder, number);
    lowest.set(folder, number);
    open.push(folder);
    for (const { to } of next.get(folder) ?? []) {
      if (!order.has(to)) lowest.set(folder, Math.min(lowest.get(folder) ?? number, visit(to)));
      else if (open.includes(to)) lowest.set(folder, Math.min(lowest.get(folder) ?? number, order.get(to) ?? number));
    }
    const low = lowest.get(folder) ?? number;
    if (low === number) {
      const group = open.splice(open.indexOf(folder));
      if (group.length > 1) cycles.push(group.toSorted());
    }
    return low;
  };
  for (const folder of next.keys()) if (!order.has(folder)) visit(folder);
  return cycles;
}
