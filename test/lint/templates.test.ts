import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lintAcross } from "#core/lint/across.ts";
import { lintFile } from "#core/lint/engine.ts";

const root = join(import.meta.dirname, "../../templates");

describe.each(["sops", "demo/sops"])("templates/%s", (folder) => {
  const files = readdirSync(join(root, folder)).map((name) => {
    const text = readFileSync(join(root, folder, name), "utf8");
    return { name, ...lintFile(text, { path: `${folder}/${name}`, preset: "recommended" }) };
  });

  test.each(files)("$name is clean under recommended", ({ findings }) => {
    expect(findings).toEqual([]);
  });

  test("stand well beside each other", () => {
    const facts = files.map((file) => file.facts);
    const surroundings = { exists: () => false, complete: true, today: "2026-01-01" };
    expect(lintAcross(facts, { preset: "recommended" }, surroundings)).toEqual(new Map());
  });
});
