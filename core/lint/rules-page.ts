import { presets } from "./presets.ts";
import type { PresetName, Rule } from "./rule.ts";
import { rules } from "./rules/index.ts";
import { defaultSettings } from "./settings.ts";

const names = Object.keys(presets) as PresetName[];

/** Returns the text of docs/rules.md, made from the documentation of the rules. */
export function rulesPageMarkdown(): string {
  return `${[rulesPageIntroduction(), rulesOverviewTable(), ...rules.map(ruleAsMarkdown)].join("\n\n")}\n`;
}

function rulesPageIntroduction(): string {
  const limits = Object.entries(defaultSettings.limits).map(([key, value]) => `\`${key}\` ${value}`);
  return [
    "# Rules of `sop lint`",
    "The rules themselves are its source. Their examples are their tests. `sop lint --explain <id>` shows one of them.",
    "The same rules check in the editor, on the terminal, in CI and when a version is submitted for approval.",
    "- A **safe** fix (`--fix`) keeps the text and its structure, apart from what its rule declares below. Each one is checked before it's applied. Any other is a **suggested** fix (`--unsafe-fixes`): read it first.\n- `<!-- sop-disable-next-line <rule> -- <reason> -->` silences a rule on the next line with text. The reason is obligatory under `regulated`; a comment that silences nothing is reported as `suppress/unused`.\n- Rules marked *English* are off in files of another `lang`; `lint/language` says so.\n- `sop.config.yaml` sets `preset`, `rules` (severities), `idPattern`, `terms`, `acronyms`, `sections`, `lang`, `dialect` and `limits`.",
    `Limits unless the company sets others: ${limits.join(", ")}.`,
  ].join("\n\n");
}

function rulesOverviewTable(): string {
  const rows = rules.map((rule) => {
    const severities = names.map((name) => presets[name].rules[rule.id] ?? "–");
    return `| [\`${rule.id}\`](#${ruleAnchor(rule.id)}) | ${severities.join(" | ")} | ${rule.fixable === "no" ? "–" : rule.fixable} |`;
  });
  return [
    "## All rules",
    "",
    `| Rule | ${names.join(" | ")} | Fix |`,
    `| --- |${" --- |".repeat(names.length + 1)}`,
    ...rows,
  ].join("\n");
}

/** Writes a rule as Markdown: the reason, the source, good and bad examples. */
function ruleAsMarkdown(rule: Rule): string {
  const traits = [
    rule.severity,
    rule.fixable === "no" ? "no fix" : `${rule.fixable} fix`,
    ...(rule.english ? ["English"] : []),
    ...(rule.across === undefined ? [] : ["looks at all files together"]),
  ];
  const good = rule.good.slice(0, 2).map(fencedExample);
  const bad = rule.bad.map(({ text, lines, fixed }) => {
    const found = `Found on line ${[...new Set(lines)].join(", ")}:`;
    const after = fixed === undefined ? [] : ["after the fix:", fencedExample(fixed)];
    return [found, fencedExample(text), ...after].join("\n\n");
  });
  return [
    `## \`${rule.id}\``,
    `_${traits.join(" · ")}_`,
    rule.why.text,
    ...(rule.declares === undefined ? [] : [`A safe fix ${rule.declares.says.text}.`]),
    `Source: ${rule.source}.`,
    ...exampleSurroundings(rule),
    "Good:",
    ...good,
    ...bad,
  ].join("\n\n");
}

function exampleSurroundings({ setting = {} }: Rule): string[] {
  const { path, settings, today, others, base } = setting;
  const parts = [
    ...(path === undefined ? [] : [`in the file \`${path}\``]),
    ...(others === undefined
      ? []
      : [
          `beside ${Object.keys(others)
            .map((other) => `\`${other}\``)
            .join(", ")}`,
        ]),
    ...(settings === undefined ? [] : [`with \`${JSON.stringify(settings)}\``]),
    ...(base === undefined ? [] : [`against the server's \`${JSON.stringify(base)}\``]),
    ...(today === undefined ? [] : [`on ${today}`]),
  ];
  return parts.length === 0 ? [] : [`The examples are checked ${parts.join(", ")}.`];
}

function fencedExample(text: string): string {
  const fence = text.includes("```") ? "````" : "```";
  // A visible sign replaces the no-break space, which looks like any other space.
  return `${fence}markdown\n${text.trimEnd().replaceAll("\u00a0", "⍽")}\n${fence}`;
}

function ruleAnchor(id: string): string {
  return id.replace("/", "");
}
