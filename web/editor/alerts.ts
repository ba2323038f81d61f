import { alertTitles, type AlertKind } from "#core/markdown/alerts.ts";

export function isAlertKind(value: unknown): value is AlertKind {
  return typeof value === "string" && Object.hasOwn(alertTitles, value);
}
