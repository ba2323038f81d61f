/** Texts for ages in days and for due days. */
import { boundaryText } from "../ui/time.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("dashboard.ages", {
  today: "today",
  days: "{days, plural, one {# day} other {# days}}",
});

const dayMs = 86_400_000;
/** The number of days after which a request from another person counts as late. */
export const lateAfterDays = 7;

/** 'today', '1 day', '9 days'. @param iso a time, or a day (`YYYY-MM-DD`) */
export function ageText(iso: string, now: number = Date.now()): string {
  const days = daysSince(iso, now);
  return days < 1 ? texts.today : texts.days({ days });
}

/** Returns the number of whole days since a time, or since the start of a day (`YYYY-MM-DD`, UTC). */
export function daysSince(iso: string, now: number = Date.now()): number {
  return Math.floor((now - Date.parse(iso)) / dayMs);
}

/** A due day: 'Nov 15' within about half a year, else 'Nov 15, 2025'. @param day `YYYY-MM-DD` */
export function shortDueDay(day: string, now: number = Date.now()): string {
  const isNear = Math.abs(now - Date.parse(day)) < 180 * dayMs;
  return boundaryText(day, isNear ? "month" : "whole");
}
