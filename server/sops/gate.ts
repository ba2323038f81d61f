/** The gate before an approval or a publication: the rules the company chose; an error of theirs stops the text. */
import { AppError } from "#core/errors.ts";
import type { Finding } from "#core/lint/rule.ts";
import type { Services } from "../http/services.ts";
import type { SopText } from "./steps.ts";

/** Told of one refusal; the rest is counted. */
const findingsTold = 50;

/** @throws AppError unprocessable, with the errors found as `details.findings`, lines counted in the body */
export async function assertTextReady(
  { companies, render }: Pick<Services, "companies" | "render">,
  companyId: string,
  { frontMatter, markdown }: SopText,
): Promise<void> {
  const rules = (await companies.get(companyId))?.settings.textRules ?? "minimal";
  if (rules === "off") return;
  const errors = await render.errors({ frontMatter, markdown, preset: rules });
  const [first, ...others] = errors;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const message = `The text does not keep your company's rules yet. ${placeOf(first)}${first.message}${more}`;
  throw new AppError("unprocessable", message, { findings: errors.slice(0, findingsTold) });
}

/** What stands in the file's head has no line that people see. */
function placeOf({ line }: Finding): string {
  return line > 0 ? `Line ${line}: ` : "";
}
