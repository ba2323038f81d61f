/**
 * The constants of section 9 of the seed, in its words. Each has the test that proves it, and the code in that test.
 */
import { by, type SeedText } from "./seed-texts.ts";

const companies = "core/companies/schema.test.ts";
const accounts = "core/sign-in/schema.test.ts";
const people = "username 3, password 6, name 2 characters are just enough, and one less is refused";
const minimums = "a company's minimums are just enough, and one less is refused";
const defaults = "fields left out of a new company have their defaults";
const cache = "web/query-defaults.test.ts";
const toasts = "web/ui/ui.test.tsx";
const timings = "web/ui/timings.test.tsx";
const list = "server/sops/list/list.test.ts";
const sopsPage = "web/sops/list/sops-page.test.tsx";
const card = "show title, description, status, category, times, author, and lead to the SOP";
const users = "web/users/users-page.test.tsx";
const history = "web/editor/history.test.ts";

export const constants: readonly SeedText[] = [
  ...by(companies, defaults, {
    9: [
      ["Company defaults: maxUsers 10", "maxUsers: 10,"],
      ["maxSOPs 100", "maxSOPs: 100,"],
      ["subscription free", 'subscription: "free",'],
    ],
  }),
  ...by("server/sops/edit/save.test.ts", "creates a draft with number, slug, owner and version 1", {
    9: [
      ["SOP version starts at 1", "version: 1,"],
      ["views 0", "views: 0,"],
    ],
  }),
  ...by("server/settings/settings.test.ts", "begin with AI on, no key, and every email", {
    9: [["aiFeaturesEnabled defaults true", "aiFeaturesEnabled: true,"]],
  }),

  ...by(accounts, people, {
    9: [
      ["Minimums: password 6", 'password: "secre" })).toEqual(["Password must be at least 6 characters long"])'],
      ["username 3", 'username: "an" })).toEqual(["Username must be at least 3 characters"])'],
      ["user name 2", 'name: "A" })).toEqual(["Name must be at least 2 characters"])'],
    ],
  }),
  ...by(companies, minimums, {
    9: [
      ["company name 2", 'name: "A" })).toEqual(["Company name must be at least 2 characters"])'],
      ["slug 2", 'slug: "a" })).toEqual(["Slug must be at least 2 characters"])'],
      ["maxUsers and maxSOPs 1", 'maxSOPs: 0 })).toEqual(["Max SOPs must be at least 1"])'],
    ],
  }),
  ...by("core/sops/schema.test.ts", "the form asks for what is missing in the seed's words", {
    9: [["readTime 1", "for (const readTime of [0, -1,"]],
  }),
  ...by("web/sops/edit/sop-edit.test.tsx", "asks for what is missing in the seed's words, and sends nothing", {
    9: [["(default 5)", '(readTime as HTMLInputElement).value).toBe("5")']],
  }),

  ...by("server/sign-in/reset.test.ts", "work only as the newest one, for an hour, and for active people", {
    9: [["Reset link lifetime 1 hour", "clock.advance(3_599_000)"]],
  }),
  ...by(
    "web/sign-in/redirect.test.tsx",
    "a password that was reset leads to the sign-in after 3000 ms, and not before",
    { 9: [["redirect after reset 3 seconds", "vi.advanceTimersByTimeAsync(2999)"]] },
  ),

  ...by(cache, "retries neither a read nor a write", {
    9: [["Client data cache: no retries", "expect(fail).toHaveBeenCalledTimes(1)"]],
  }),
  ...by(cache, "is fresh for ever: shown again a day later, nothing is asked again", {
    9: [["data fresh forever", "expect(ask).toHaveBeenCalledTimes(1)"]],
  }),
  ...by(cache, "is not fetched again when the window gets the focus", {
    9: [["no refetch on window focus", "focusManager.setFocused(true)"]],
  }),
  ...by(cache, "polls nothing while it is on screen", { 9: [["no polling", "vi.advanceTimersByTimeAsync(day)"]] }),

  ...by(toasts, "shows one at a time, the newest", {
    9: [["Toasts: one visible at a time", 'textContent)).toEqual(["Error"])']],
  }),
  ...by(toasts, "goes after 5000 ms", {
    9: [["default duration 5000 ms", "vi.advanceTimersByTime(4_999)"]],
  }),
  ...by(timings, "is swiped away by more than 50 px, and comes back from less", {
    9: [["swipe threshold 50 px", "as HTMLElement, 51)"]],
  }),
  ...by(
    timings,
    "is at most 420 px wide on medium screens and up; at the top of small ones, at the bottom right of larger",
    { 9: [["viewport max width 420 px on medium screens and up", '"md:max-w-[420px]"']] },
  ),

  ...by(toasts, "opens after 700 ms, with the shortcut", {
    9: [["Tooltip delay 700 ms", "vi.advanceTimersByTime(699)"]],
  }),
  ...by(timings, "opens at once within 300 ms of the last one, and later only after the 700 ms again", {
    9: [["skip delay 300 ms", "pass(299)"]],
  }),
  ...by(timings, "is 4 px from its button", { 9: [["side offset 4", '"translate(416px, 496px)"']] }),
  ...by(timings, "opens when the pointer has rested on it for 100 ms", {
    9: [["Submenu hover open 100 ms", "pass(99)"]],
  }),
  ...by(timings, "gives the pointer 300 ms to reach it across other items", {
    9: [["pointer grace 300 ms", "[299, false], [300, true]"]],
  }),

  ...by(sopsPage, "holds the place with 6 cards while it loads", {
    9: [["6 skeleton cards while loading", '"sop-skeleton")).toHaveLength(6)']],
  }),
  ...by(sopsPage, card, {
    9: [
      ["title clamp 2 lines", 'className).toContain("line-clamp-2")'],
      ["description 3 lines", 'className).toContain("line-clamp-3")'],
      ["relative for SOP updates", '"Updated 3 days ago"'],
    ],
  }),

  ...by(list, "are filtered by category, status, template and time, alone and together", {
    9: [
      ["Time filters: 7 days", '{ time: "7d" })).toEqual('],
      ["30 days", '{ time: "30d" })).toEqual('],
    ],
  }),
  ...by(list, "take three months as 91 days", { 9: [["3 months", '{ time: "3m" })).toEqual([])']] }),
  ...by("web/favorites/favorites.test.tsx", "has heading, search and a time range, which the server is asked for", {
    9: [
      ["Recent options today, week, month, quarter, all", '["Past Quarter", "quarter"], ["All Time", "all"]'],
      ["(default week)", 'toEqual({ recent: "week", limit: "24" })'],
    ],
  }),
  ...by(sopsPage, "leave out what filters nothing, and ignore what they don't know", {
    9: [["all-SOPs default anytime", '.text).toBe("Anytime")']],
  }),

  ...by(users, "shows name, contact, department, role, status and last login", {
    9: [["Dates: 'MMM d, yyyy' for last login", '"Jan 5, 2026"']],
  }),
  ...by("web/approvals/approval-panel.test.tsx", "says the rule, how far it is, and tells itself in order", {
    9: [["medium date-time for approvals", "toMatch(/Jun 1, 2026, \\d+:00/)"]],
  }),

  ...by(history, "keeps the last 100 steps once it forgets any", {
    9: [["Editor undo depth 100", "expect(undoDepth(view.state)).toBe(100)"]],
  }),
  ...by(history, "takes back together what was typed within 500 ms of each other", {
    9: [["grouping delay 500 ms", "[1_000_000, 1_000_500, 1_001_001]"]],
  }),
  ...by(users, "start with Active, offer what the viewer may assign, and live in the address", {
    9: [["Default status filter on users: active", 'toEqual({ status: "active", total: "true", limit: "50" })']],
  }),
];
