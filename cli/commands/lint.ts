import { resolve } from "node:path";
import type { CommandContext, CommandResult } from "../context.ts";
import { exit } from "../exit.ts";
import { createConfigFinder } from "../lint/config.ts";
import { assertCompatibleFlags, type LintFlags } from "../lint/flags.ts";
import { ruleChoiceOfFlags, explainRule, ruleExplanationText, listRules, rulesText } from "../lint/rules.ts";

export async function lintFiles(context: CommandContext, paths: string[], flags: LintFlags): Promise<CommandResult> {
  assertCompatibleFlags(flags, paths, context.out.json);
  const overrides = { ...(flags.preset && { preset: flags.preset }), rules: ruleChoiceOfFlags(flags.rule ?? []) };
  const named = context.flags.config && resolve(context.cwd, context.flags.config);
  if (flags.explain !== undefined) {
    const rule = explainRule(flags.explain);
    return { exit: exit.done, data: rule, text: ruleExplanationText(rule) };
  }
  if (flags.listRules) {
    const { preset, rules } = await createConfigFinder(named, overrides)(resolve(context.cwd, "document.md"));
    const rows = listRules(preset, rules);
    return { exit: exit.done, data: rows, text: rulesText(rows) };
  }
  const { lintOnce } = await import("../lint/once.ts");
  // Reads configs again each time, so that a watch sees their changes.
  const lintAll = () => lintOnce(context, paths, flags, createConfigFinder(named, overrides));
  if (!flags.watch) return await lintAll();
  const { watchAndLint } = await import("../lint/watch.ts");
  return await watchAndLint(context, paths, flags.ext ?? [], lintAll);
}
