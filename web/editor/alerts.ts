import { alertTitles, type AlertKind } from "#core/markdown/alerts.ts";

/** The five that the toolbar offers. Others in a text are kept and shown. */
export const offeredAlerts = ["note", "tip", "important", "warning", "caution"] as const;

export function isAlertKind(value: unknown): value is AlertKind {
  return typeof value === "string" && Object.hasOwn(alertTitles, value);
}
