/** `demo`: creates an example company in a data folder and starts the server on it. */
import { existsSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { systemClock } from "#core/clock.ts";
import { readConfig, type Config } from "../config.ts";
import { runUntilStopped } from "../run-until-stopped.ts";
import { assertCurrentData } from "../open-for-task.ts";
import { createLog } from "../services.ts";
import { readDemoCompany, type DemoCompany } from "./demo/company.ts";
import { demoPassword, seedCompany } from "./demo/seed.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";

interface DemoOptions extends OutputFlags {
  dataDir?: string;
  serve?: boolean;
}

export async function demoCommand(options: DemoOptions, output: AdminOutput): Promise<number> {
  const dataDir = options.dataDir === undefined ? await createTemporaryFolder() : path.resolve(options.dataDir);
  const config = demoConfig(dataDir, options.verbose === true);
  await assertCurrentData(config);
  const company = await readDemoCompany();
  output.say(`creating ${company.name} …`);
  const began = performance.now();
  const seeded = await seedCompany(config, company, systemClock.millis(), createProgressReporter(output));
  if (!seeded) output.say(`${company.name} is already in ${dataDir}: nothing changed`);
  else {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    output.say(`created ${company.name} with ${company.sops.length} SOPs in ${seconds} s`);
  }
  const people = [company.system, ...company.users];
  const who = people.map(({ username, name, role, title }) => ({ username, name, role, title }));
  output.data(peopleTable(company), { dataDir, company: company.slug, password: demoPassword, people: who });
  if (options.serve || options.dataDir === undefined) await runUntilStopped({ config, log: createLog(config) });
  return 0;
}

/** Creates a function that prints the progress after each quarter of the events. */
function createProgressReporter(output: AdminOutput): (done: number, all: number) => void {
  let said = 0;
  return (done, all) => {
    const quarter = Math.floor((4 * done) / all);
    if (quarter > said && quarter < 4) output.say(`${25 * quarter} %`);
    said = quarter;
  };
}

/**
 * Returns the configuration of the demo. It never has the configured database, because the demo's password is public.
 */
function demoConfig(dataDir: string, verbose: boolean): Config {
  const config = readConfig();
  const logLevel = config.logLevel === "info" && !verbose ? "warn" : config.logLevel;
  return { ...config, dataDir, mongodbUri: null, admin: null, passwordBlocklist: false, logLevel, drainSeconds: 0 };
}

async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "sopwright-demo-"));
  // removes the folder when the process ends, unless the process is killed
  process.once("exit", () => {
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

function peopleTable({ name, system, users }: DemoCompany): string {
  const rows = [system, ...users].map((person) => [person.username, person.role, `${person.name}, ${person.title}`]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([username = "", role = "", who = ""]) =>
    `  ${username.padEnd(widths[0] ?? 0)}  ${role.padEnd(widths[1] ?? 0)}  ${who}`.trimEnd(),
  );
  return [`Sign in to ${name} as one of`, ...lines, `Password of every user: ${demoPassword}`].join("\n");
}
