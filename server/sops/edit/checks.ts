/** Checks before an approval or a publication, by the rules the company chose. An error blocks publishing. */
import { AppError } from "#core/errors.ts";
import type { PresetName } from "#core/lint/rule.ts";
import { sopKeyOf } from "#core/markdown/sop-links.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { presets, severityOf } from "#core/lint/presets.ts";
import type { TextRules } from "#core/companies/settings.ts";
import type { Finding } from "#core/lint/finding.ts";
import type { CheckedText } from "#core/sops/schema.ts";
import type { Services } from "../../http/services.ts";
import { seenSops } from "../links/titles.ts";
import type { SopText } from "./version-of.ts";

type Needs = Pick<Services, "companies" | "render" | "db">;

/** The most findings that a refusal lists. It only counts the others. */
const findingsTold = 50;

/** @throws AppError unprocessable, with the errors found as `details.findings`, lines counted in the body */
export async function assertTextReady(services: Needs, actor: Actor, text: SopText): Promise<void> {
  const rules = await rulesOf(services, actor.companyId);
  if (rules === "off") return;
  const found = await findingsIn(services, actor, text, rules);
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
export async function checkText(services: Needs, actor: Actor, text: SopText): Promise<CheckedText> {
  const rules = await rulesOf(services, actor.companyId);
  const preset = rules === "regulated" ? rules : "recommended";
  const found = await findingsIn(services, actor, text, preset);
  const findings = found.map((finding) => ({ ...finding, stops: blocks(finding, rules) }));
  return { findings: findings.slice(0, checkedAtMost), more: Math.max(0, findings.length - checkedAtMost) };
}

/** The findings in a text. A linked SOP that the actor can't see counts as missing. */
async function findingsIn(services: Needs, actor: Actor, text: SopText, preset: PresetName): Promise<Finding[]> {
  const linked = [...text.markdown.matchAll(/\/sop\/([\w%-]+(?:\.[\w%-]+)*)/gi)].flatMap(
    ([, name = ""]) => sopKeyOf(name) ?? [],
  );
  const seen = await seenSops(services, actor, linked);
  const sops = Object.fromEntries(
    [...seen].map(([key, { sop }]) => [key, sop.status === "archived" ? ("archived" as const) : ("there" as const)]),
  );
  return services.render.findings({ ...text, preset, sops });
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

/** The place of a finding. In the front matter, findings have no line that users see. */
function placeOf({ line }: Finding): string {
  return line > 0 ? `Line ${line}: ` : "";
}
