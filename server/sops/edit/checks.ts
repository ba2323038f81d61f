/** Checks before an approval or a publication, by the rules the company chose. An error blocks publishing. */
import { AppError } from "#core/errors.ts";
import { presets, severityOf } from "#core/lint/presets.ts";
import type { TextRules } from "#core/companies/settings.ts";
import type { Finding } from "#core/lint/finding.ts";
import type { CheckedText } from "#core/sops/schema.ts";
import type { Services } from "../../http/services.ts";
import type { SopText } from "./steps.ts";

type Needs = Pick<Services, "companies" | "render">;

/** A refusal lists this many findings and counts the rest. */
const findingsTold = 50;

/** @throws AppError unprocessable, with the errors found as `details.findings`, lines counted in the body */
export async function assertTextReady(services: Needs, companyId: string, text: SopText): Promise<void> {
  const rules = await rulesOf(services, companyId);
  if (rules === "off") return;
  const found = await services.render.findings({ ...text, preset: rules });
  const errors = found.filter(({ severity }) => severity === "error");
  const [first, ...others] = errors;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const message = `The text does not keep your company's rules yet. ${placeOf(first)}${first.message}${more}`;
  throw new AppError("unprocessable", message, { findings: errors.slice(0, findingsTold) });
}

/**
 * Findings of the company's rules, or of the recommended rules if those are stricter. Marks those that block
 * publishing.
 */
export async function checkText(services: Needs, companyId: string, text: SopText): Promise<CheckedText> {
  const rules = await rulesOf(services, companyId);
  const preset = rules === "regulated" ? rules : "recommended";
  const found = await services.render.findings({ ...text, preset });
  const findings = found.map((finding) => ({ ...finding, stops: blocks(finding, rules) }));
  return { findings: findings.slice(0, checkedAtMost), more: Math.max(0, findings.length - checkedAtMost) };
}

const checkedAtMost = 200;

function blocks({ rule }: Finding, rules: TextRules): boolean {
  if (rules === "off") return false;
  return (
    rule === "ai/unreviewed" ||
    (rule in presets[rules].rules ? severityOf(rule, rules) === "error" : rule.startsWith("parse/"))
  );
}

async function rulesOf({ companies }: Needs, companyId: string): Promise<TextRules> {
  return (await companies.get(companyId))?.settings.textRules ?? "minimal";
}

/** Findings in the front matter have no line that users see. */
function placeOf({ line }: Finding): string {
  return line > 0 ? `Line ${line}: ` : "";
}
