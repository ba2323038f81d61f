import { catalog } from "#core/language/catalog.ts";

const texts = catalog("settings.device", { on: "{browser} on {system}", sop: "The sop command" });

/** Patterns and names of browsers. Order matters, because many browsers also claim to be another. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*Safari\//, "Safari"],
  [/^sop\b/i, "sop"],
  [/^curl\//, "curl"],
] as const;
const systems = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
] as const;

/** Returns a text such as 'Firefox on Windows'; null if neither browser nor system is known. */
export function deviceName(userAgent: string | null): string | null {
  const nameFrom = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [client, system] = [nameFrom(browsers), nameFrom(systems)];
  const browser = client === "sop" ? texts.sop : client;
  return browser && system ? texts.on({ browser, system }) : (browser ?? system ?? null);
}

export function isHandheld(userAgent: string | null): boolean {
  return /\b(?:iPhone|iPad|Android|Mobile)\b/.test(userAgent ?? "");
}
