/** The real browser for the journeys: `CHROMIUM_PATH`, or a Chromium on PATH, its headless shell first. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { chromium, type Browser } from "playwright-core";

// the shell is the same engine without a desktop browser, and takes less than half the work per page
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export function findChromium(): string | null {
  const given = process.env["CHROMIUM_PATH"];
  if (given) return given;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram) ?? null;
}

/** A suffix for names that must be unique on a server that several tests share. */
export const uniqueSuffix = (): string => crypto.randomUUID().slice(0, 8);

/** Says whether a journey can run. Without a browser it prints a warning once; with CI set, that is a failure. */
export function hasChromium(journey: string): boolean {
  if (findChromium()) return true;
  const how = `install chromium (apt-get install chromium) or set CHROMIUM_PATH; skipped: ${journey}`;
  if (process.env["CI"] === "true") throw new Error(how);
  console.warn(`NO BROWSER: ${how}`);
  return false;
}

/** @param hasScrollbars true for classic scrollbars, which take space */
export function launchChromium(hasScrollbars = false): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no chromium");
  return chromium.launch({
    executablePath,
    ...(hasScrollbars && { ignoreDefaultArgs: ["--hide-scrollbars"] }),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
