import { alignedColumns } from "../columns.ts";
import { runChecks, type DoctorCheck } from "../doctor/checks.ts";
import { exit } from "../exit.ts";
import type { CommandContext, CommandResult } from "../context.ts";

const signs = { ok: "ok", note: "--", failed: "XX" } as const satisfies Record<DoctorCheck["state"], string>;
const colors = { ok: "green", note: "yellow", failed: "red" } as const;

/** Runs the checks. Exits with 1 if a check failed; a missing optional part is only a note. */
export async function runDoctor(context: CommandContext): Promise<CommandResult> {
  const checks = await runChecks(context);
  const bad = checks.filter(({ state }) => state === "failed");
  const lines = alignedColumns(checks.map(({ state, name, says }) => [signs[state], name, says]))
    .split("\n")
    .slice(0, -1);
  const text = lines.map((line, index) => {
    const { state, hint } = checks[index] ?? { state: "ok" };
    const sign = context.out.paint(colors[state], line.slice(0, 2));
    return `${sign}${line.slice(2)}\n${hint === undefined ? "" : `    ${hint}\n`}`;
  });
  const problems = bad.map(({ name, says, hint }) => ({
    code: name,
    message: says,
    ...(hint !== undefined && { hint }),
  }));
  return {
    exit: bad.length > 0 ? exit.findings : exit.done,
    data: checks,
    text: text.join(""),
    errors: problems,
    errorsInText: true,
  };
}
