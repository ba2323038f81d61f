/** `status`: asks the running server for its state. Exits with 1 if a part needs an operator. */
import { AppError } from "#core/errors.ts";
import { ServerStatus } from "#core/status/schema.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { isLoopback, readTaskConfig, type Config } from "../config.ts";
import { readKeyring } from "../keys/keyring.ts";
import { createOperatorProof } from "../status/operator-proof.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { refusals } from "./refusals.ts";

interface ServerStatusOptions extends OutputFlags {
  server?: string;
}

const attention = 1;
const patienceMs = 10_000;

export async function statusCommand(options: ServerStatusOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  const url = new URL("/metrics", options.server ?? localServerAddress(config));
  const proof =
    config.metricsToken ?? createOperatorProof(readKeyring(config), "status", Math.floor(Date.now() / 1000));
  const headers = {
    accept: "application/json",
    ...(proof === null ? {} : { authorization: `Bearer ${proof}` }),
  };
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch((error: unknown) => {
    throw new AppError("busy", refusals.noServer({ origin: url.origin }), {
      cause: error,
    });
  });
  if (answer.status === 403) throw new AppError("forbidden", refusals.secretNeeded());
  if (!answer.ok) throw new AppError("busy", refusals.otherAnswer({ origin: url.origin, status: answer.status }));
  const parsed = ServerStatus.safeParse(await answer.json().catch(() => null));
  if (!parsed.success) throw new AppError("invalid_input", refusals.otherProgram({ origin: url.origin }));
  const { data } = parsed;
  const ok = data.parts.every(({ state }) => state === "ok" || state === "off");
  output.data(statusLines(data).join("\n"), data, ok);
  return ok ? 0 : attention;
}

/** Returns the server's address on this machine. A server that listens on all addresses also answers on localhost. */
export function localServerAddress({ host, port }: Config): string {
  const name = isLoopback(host) || host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function statusLines(status: ServerStatus): string[] {
  const { parts, damage, mirrors, queues, jobs, database, emails, repositories } = status;
  // while the database doesn't answer, the counts are unknown
  const isAway = parts.some(({ state }) => state === "unknown");
  const knownText = (text: string) => (isAway ? "unknown" : text);
  const statusRow = (name: string, text: string) => `${name.padEnd(14)} ${text}`;
  const marks = { ok: "ok", off: "off", warning: "WARNING", problem: "PROBLEM", unknown: "unknown" };
  const busy = queues.filter(({ running, waiting }) => running + waiting > 0);
  const [oldest] = [...jobs].sort((a, b) => b.secondsAgo - a.secondsAgo);
  return [
    ...parts.map(({ part, state, text }) => statusRow(part, `${marks[state].padEnd(8)} ${text}`)),
    ...damage.map((line) => statusRow("", line)),
    ...mirrors.map(({ company, state, problem }) =>
      statusRow("", `mirror of ${company}: ${mirrorStates[state] ?? state}${problem === null ? "" : `: ${problem}`}`),
    ),
    "",
    statusRow("version", `${status.version}, ${status.engine}, up for ${formatDuration(status.uptimeSeconds)}`),
    statusRow("memory", `${Math.round(status.memoryBytes / 1_000_000)} MB`),
    statusRow(
      "stored",
      knownText(
        [
          countAndNoun(status.companies, "company", "companies"),
          countAndNoun(status.users, "user"),
          countAndNoun(status.sops, "SOP"),
        ].join(", "),
      ),
    ),
    statusRow("database", `${database.running} running, ${database.waiting} waiting`),
    statusRow(
      "queues",
      busy.length === 0 ? "idle" : busy.map((one) => `${one.queue} ${one.running}+${one.waiting}`).join(", "),
    ),
    statusRow(
      "jobs",
      oldest === undefined
        ? "none"
        : `${jobs.length}, the longest pause is ${formatDuration(oldest.secondsAgo)} (${oldest.job})`,
    ),
    statusRow("emails", knownText(`${emails.pending} waiting, ${emails.failed} given up`)),
    statusRow("commits", knownText(`${repositories.pending} waiting`)),
    statusRow("last backup", knownText(lastBackupLine(status))),
  ];
}

const mirrorStates: Partial<Record<string, string>> = {
  stopped: "stopped, the remote has other commits",
  failing: "fails",
  paused: "paused since a restore",
};

function lastBackupLine({ backup }: ServerStatus): string {
  if (backup === null) return "none";
  const size = `${(backup.bytes / 1_000_000).toFixed(1)} MB`;
  return backup.ageSeconds < 0
    ? `its date lies in the future: ${backup.at}, ${size}`
    : `${formatDuration(backup.ageSeconds)} ago, ${size}`;
}

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
