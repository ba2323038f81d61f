import { dirname, resolve } from "node:path";
import { lint } from "#core/lint/engine.ts";
import type { PresetName } from "#core/lint/presets.ts";
import type { Finding, Severity } from "#core/lint/rule.ts";
import { exit, type Problem } from "../exit.ts";
import { createConfigFinder } from "../lint/config.ts";
import { chooseByFlags, explainRule, explanation, listRules, rulesText } from "../lint/rules.ts";
import { envelope, printable, type Output } from "../output.ts";
import { openTexts, type TextFile } from "../texts.ts";
import type { Context, Result } from "../context.ts";

export interface LintFlags {
  format: "pretty" | "json";
  preset?: PresetName;
  rule?: string[];
  failOn: "error" | "warning" | "never";
  maxWarnings?: number;
  stdinFilename?: string;
  listRules?: boolean;
  explain?: string;
}

interface LintedFile {
  path: string;
  findings: Finding[];
}

type Totals = Record<Severity, number>;

export async function lintFiles(context: Context, paths: string[], flags: LintFlags): Promise<Result> {
  const chosen = chooseByFlags(flags.rule ?? []);
  const configOf = createConfigFinder(context.flags.config && resolve(context.cwd, context.flags.config));
  if (flags.explain !== undefined) {
    const rule = explainRule(flags.explain);
    return { exit: exit.done, data: rule, text: explanation(rule) };
  }
  if (flags.listRules) {
    const config = await configOf(context.cwd);
    const rows = listRules(flags.preset ?? config.preset, { ...config.rules, ...chosen });
    return { exit: exit.done, data: rows, text: rulesText(rows) };
  }
  const texts = await openTexts(context, paths, flags.stdinFilename ?? "stdin");
  const files: LintedFile[] = [];
  for await (const source of texts.each()) {
    if ("code" in source) {
      files.push({ path: source.path ?? "", findings: [unreadable(source)] });
      continue;
    }
    const config = await configOf(dirname(placeOf(source, context.cwd)));
    const options = { path: source.path, preset: flags.preset ?? config.preset, rules: { ...config.rules, ...chosen } };
    files.push({ path: source.path, findings: lint(source.text, options) });
  }
  return report(context, flags, files, texts.problems);
}

/** Text from stdin stands where its name says. */
function placeOf({ file, path }: TextFile, cwd: string): string {
  return file ?? resolve(cwd, path);
}

/** A file that can't be read is a finding like any other, so that the others are checked all the same. */
function unreadable({ code, message, path = "", hint }: Problem): Finding {
  const says = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  return {
    rule: `parse/${code.replaceAll("_", "-")}`,
    severity: "error",
    message: hint === undefined ? says : `${says}; ${hint}`,
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
  };
}

function report(
  { out }: Context,
  flags: LintFlags,
  files: readonly LintedFile[],
  problems: readonly Problem[],
): Result {
  const totals: Totals = { error: 0, warning: 0, info: 0 };
  for (const { findings } of files) for (const { severity } of findings) totals[severity] += 1;
  const data = { totals: { files: files.length, ...totals }, files };
  const code = exitOf(flags, totals, problems, files.length);
  out.note(summary(totals, files.length));
  const json = flags.format === "json";
  const text = json ? envelope("lint", code === exit.done, data, problems) : pretty(files, out);
  return { exit: code, data, text, errors: problems };
}

function exitOf(flags: LintFlags, totals: Totals, problems: readonly Problem[], files: number): number {
  if (problems.length > 0) return files > 0 ? exit.partly : exit.invalid;
  const tooMany = flags.maxWarnings !== undefined && totals.warning > flags.maxWarnings;
  const fails = { error: totals.error > 0, warning: totals.error + totals.warning > 0, never: false }[flags.failOn];
  return fails || tooMany ? exit.findings : exit.done;
}

const colors = { error: "red", warning: "yellow", info: "cyan" } as const;

function pretty(files: readonly LintedFile[], out: Output): string {
  return files
    .filter(({ findings }) => findings.length > 0)
    .map(({ path, findings }) => {
      const rule = Math.max(...findings.map((finding) => finding.rule.length));
      const lines = findings.map(({ line, column, severity, rule: id, message }) => {
        const place = `${line}:${column}`.padStart(7);
        return `${place}  ${out.paint(colors[severity], severity.padEnd(7))}  ${id.padEnd(rule)}  ${printable(message)}\n`;
      });
      return `${out.paint("bold", printable(path))}\n${lines.join("")}\n`;
    })
    .join("");
}

function summary(totals: Totals, files: number): string {
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
  const parts = [
    counted(totals.error, "error"),
    counted(totals.warning, "warning"),
    ...(totals.info > 0 ? [`${totals.info} info`] : []),
  ];
  return `${parts.join(", ")} in ${counted(files, "file")}`;
}
