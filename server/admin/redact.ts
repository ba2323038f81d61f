/**
 * `redact`: erases personal data in audit rows, as the law may require. The log can still be verified, and records the
 * erasure.
 */
import process from "node:process";
import { systemClock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { redactRows, chainAndFindRowNumbersOfUser } from "../audit/redact.ts";
import { readTaskConfig } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Origin } from "../http/call.ts";
import { openDatabaseForTask } from "../open-for-task.ts";
import { assertDataFolder, loadChosenCompanies } from "./companies.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { openPrompt } from "./prompt.ts";
import { refusals } from "./refusals.ts";

interface RedactOptions extends OutputFlags {
  company: string;
  rows?: string;
  user?: string;
  reason: string;
}

/** The origin in audit rows of this command, which isn't called over the network. */
const origin: Origin = { requestId: "operator", ipAddress: null, userAgent: "sop admin redact" };
const rowsAtMost = 100_000;

export async function redactCommand(options: RedactOptions, output: AdminOutput): Promise<number> {
  const { rows, user } = options;
  if ((rows === undefined) === (user === undefined)) {
    throw new AppError("invalid_input", refusals.rowsNeeded());
  }
  const reason = options.reason.trim();
  if (reason === "") throw new AppError("invalid_input", refusals.reasonNeeded());
  const config = readTaskConfig();
  await assertDataFolder(config);
  const db = await openDatabaseForTask(config);
  try {
    const [company] = await loadChosenCompanies(db, options.company);
    if (!company) throw new AppError("not_found", refusals.unknownCompanyOfRows({ company: options.company }));
    const wanted =
      rows === undefined ? await findRowNumbersOfUsername(db, company._id, user ?? "") : parseRowNumbers(rows);
    await confirmErasure(
      `Erase user name, changes and origin of ${countAndNoun(wanted.length, "row")} of ${company.slug}, for good?`,
      options,
    );
    const at = systemClock.now();
    const erased = await redactRows(db, { companyId: company._id, rows: wanted, reason, at, origin });
    output.data(
      `${countAndNoun(erased.length, "row")} erased; as many rows record it. Earlier exports and backups still hold them`,
      {
        company: company.slug,
        rows: erased,
      },
    );
    return 0;
  } finally {
    await db.close();
  }
}

async function findRowNumbersOfUsername(
  db: Database<Collections>,
  companyId: string,
  username: string,
): Promise<number[]> {
  const wanted = username.trim().toLowerCase();
  const user = await db.forCompany(companyId).collection("users").findOne({ username: wanted });
  if (!user) throw new AppError("not_found", refusals.unknownUserOfRows({ wanted }));
  return chainAndFindRowNumbersOfUser(db, companyId, user._id);
}

/** Parses a list of row numbers: `12,15-20` → 12, 15 … 20 */
function parseRowNumbers(text: string): number[] {
  const numbers: number[] = [];
  for (const part of text.split(",")) {
    const [, from, to] = /^\s*([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?\s*$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (from === undefined || last < first) {
      throw new AppError("invalid_input", refusals.noRowNumber({ part: part.trim() }));
    }
    if (numbers.length + last - first >= rowsAtMost) {
      throw new AppError("invalid_input", refusals.tooManyRows({ rowsAtMost }));
    }
    for (let seq = first; seq <= last; seq++) numbers.push(seq);
  }
  return numbers;
}

/**
 * Asks on the terminal whether to erase; `--yes` answers.
 * @throws AppError when there is no terminal, or when the operator says no
 */
async function confirmErasure(message: string, { yes, input }: OutputFlags): Promise<void> {
  if (yes) return;
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true || input === false) {
    throw new AppError("invalid_input", refusals.yesNeeded());
  }
  const prompt = await openPrompt();
  const { isSure } = await prompt([{ type: "confirm", name: "isSure", message, default: false }]);
  if (isSure) return;
  throw new AppError("conflict", refusals.nothingErased());
}
