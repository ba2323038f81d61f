import { catalog } from "#core/language/catalog.ts";

export const damageTexts = catalog("dashboard.damage", {
  unreadable: "{count, plural, one {# SOP} other {# SOPs}} can't be read",
  ask: "Ask the person who runs the server.",
  settingsLost: "Company settings were lost",
  check: "Check the company settings",
});
