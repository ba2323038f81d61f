import { limits } from "#core/limits.ts";
import { processLimits, threadLimits, type ProcessLimits } from "#core/processes.ts";
import { defaultPointsPerMinute } from "../config.ts";
import {
  crowdedPace,
  serverLimits,
  leastPace,
  requestRate,
  resources,
  type ServerLimit,
  type SharedResource,
} from "./resources.ts";

/**
 * Creates the text of docs/limits.md: the shared resources, their limits, and the answers to requests beyond a limit.
 */
export function createLimitsPage(): string {
  return `${[introduction, sharedTable(), serverLimitsTable(), processesTable(), requests, growth, introductionOfSizes, sizesTable()].join("\n\n")}\n`;
}

const introduction = [
  "# Limits",
  "For operators and for authors of clients: what one company and one user can take, and the answer beyond it.",
  "Its sources are `server/capacity/resources.ts`, `core/processes.ts` and `core/limits.ts`.",
  "## Shared resources",
  "These are the places of one server. Each server has its own: queues, places for AI calls and event streams. Two servers have twice as many.",
  "Work of one class has the same numbers, and each kind of work has places of its own. One piece of heavy work counts for several places, so there are fewer. A company has a quarter of the places, and a user half of that, at least one each. Rendering and event streams have other shares.",
  "Companies take turns, and so do the users of a company. The company with the least work running goes next. A place that one company can't take stays free for the others.",
  "Work beyond the waiting limit gets `429` `rate_limited` at once. Work that waited too long gets `503` `busy`. Both answers name the seconds to wait in `Retry-After`.",
  "Where strangers can register, companies in their first week share the places of one company, by network. This holds for all work that can wait, and for AI calls, of which only those of these companies wait. There a network with nothing waiting still gets a waiting place, up to 1,000 in all, then `503` `busy`.",
].join("\n\n");

function sharedTable(): string {
  const rows = Object.entries<SharedResource>(resources).map(([name, one]) => {
    const share = one.byProcessors?.companyAtOnce ?? formatNumber(one.companyAtOnce);
    return [
      `\`${name}\``,
      one.className,
      one.what,
      one.share ?? (one.byNetwork ? "company, then user; network" : "company, then user"),
      one.byProcessors?.atOnce ?? formatNumber(one.atOnce),
      share,
      ...(one.beyond === undefined ? requestLimitCells(one, share) : ["–", "–", "–", "–"]),
      answerWhenFull(one),
    ];
  });
  const head = [
    "Work",
    "Class",
    "What it is",
    "Shared by",
    "At once",
    "One share",
    "One user",
    "Waiting per share",
    "Waiting per user",
  ];
  return markdownTable([...head, "Longest wait", "When full"], rows);
}

/**
 * Returns the table cells for a resource that requests use. The server's own work isn't listed, because it has no user
 * and is never refused.
 */
function requestLimitCells(
  { byProcessors, userAtOnce, companyWaiting, userWaiting, waitMs }: SharedResource,
  share: string,
): string[] {
  const wait = companyWaiting === 0 ? "–" : `${waitMs / 1000} s`;
  return [
    byProcessors ? share : formatNumber(userAtOnce),
    formatNumber(companyWaiting),
    formatNumber(userWaiting),
    wait,
  ];
}

function answerWhenFull({ companyWaiting, waitMs, beyond }: SharedResource): string {
  if (beyond !== undefined) return beyond;
  return companyWaiting === 0
    ? `429${waitMs === 0 ? "" : `; new companies 503 after ${waitMs / 1000} s`}`
    : `429, or 503 after ${waitMs / 1000} s`;
}

function serverLimitsTable(): string {
  const rows = Object.entries<ServerLimit>(serverLimits).map(([name, { what, atMost, unit, beyond }]) => [
    `\`${name}\``,
    what,
    unit === "bytes" ? formatLimit(atMost, unit) : `${formatNumber(atMost)} ${unit}`.trim(),
    beyond,
  ]);
  return [
    "## Caches, threads and connections of a server",
    "One server holds these for all companies together. They are bounded as a whole, not by company.",
    "There are other threads too: one answers searches, and one checks stored data once a day. Two processes make PDF and Word files.",
    markdownTable(["Name", "What it is", "At most", "Beyond that"], rows),
  ].join("\n\n");
}

function processesTable(): string {
  const programs = Object.entries<ProcessLimits>(processLimits).map(([name, one]) => [
    `\`${name}\``,
    one.what,
    `${formatNumber(one.megabytes)} MiB`,
    one.cpuSeconds === null ? "–" : `${formatNumber(one.cpuSeconds)} s`,
    one.hasHelpers ? "with the same limits" : "none",
  ]);
  const threads = Object.entries(threadLimits).map(([name, { what, megabytes }]) => [
    `\`${name}\``,
    what,
    `${formatNumber(megabytes)} MiB`,
  ]);
  return [
    "## One process, one thread",
    "Each program that the server or `sop` starts has limits of its own. A push of 2 KB can ask for hours of work, so bytes don't bound it. A program beyond its memory or processor time ends. Its request gets an error, and the server goes on.",
    markdownTable(["Program", "What it does", "Memory", "Processor time", "Programs that it starts"], programs),
    "The memory is what a program can write to (`RLIMIT_DATA`). Files that git maps come on top, at most 256 MiB a process, and the system can take them back. A shell (`/bin/sh`) sets the limits and becomes the program. This works on Debian, Alpine and other Linux systems from 4.7 on. On macOS only processor time and helpers are bounded, on Windows (`sop`) nothing. For root, the number of programs isn't bounded.",
    "Linux ends these programs before the server when the machine or container runs out of memory. To bound all of them together, give the container or service a limit (`--memory`, `MemoryMax=`).",
    "Threads share the memory of the server. These are their JavaScript heaps:",
    markdownTable(["Thread", "What it does", "Memory"], threads),
    "A push has 60 seconds of git, as the machine runs beside other work. A mirror's remote must send or take 1,000 bytes a second, on average over a minute.",
  ].join("\n\n");
}

const requests = [
  "## Requests",
  "Each server counts its own requests, so two servers give a user up to twice the points. Attempts to sign in are counted in the database, for all servers together.",
  `A user has ${formatNumber(defaultPointsPerMinute)} points a minute (\`REQUESTS_PER_MINUTE\`), a company ${requestRate.companyFactor} times as many, or a share more for each ${requestRate.usersOfShare} users. A read costs ${requestRate.read} point, any other request ${requestRate.write}. Every request counts, also refused ones (401, 403), wrong methods and unknown paths. Only files of the web app, \`/healthz\` and \`/readyz\` don't. Beyond the points the answer is \`429\` \`rate_limited\` with \`Retry-After\`.`,
  `A request counts for the user and company of its session or token. Without a valid one it counts for its network address, before the server looks for the user. A network address (IPv6: the first 56 bits) has ${requestRate.addressFactor} times the points of a user. An office can be behind one. A session or token in use counts for its user alone, so a used-up address doesn't lock it out. The server remembers the users of the ${formatNumber(serverLimits.credentials.atMost)} sessions and tokens used last.`,
  "A company stores `COMPANY_BYTES` of texts, images and PDFs, 2 GiB by default. Versions, proposals and comments count since this rule came. Texts have a quarter more, so that images alone never end saves. A system administrator can give a company another limit (`maxBytes`). Beyond it the answer is `409` `limit_reached`. Users who can't edit any SOP have 5 MiB for profile images, and store no PDFs. Files that no SOP, logo or profile picture uses are removed a day after their upload.",
  `A request's body must arrive at ${leastPace.bytesPerSecond / 1024} KiB a second on average. It can fall behind by ${leastPace.startMs / 1000} seconds, and by ${(leastPace.startMs + leastPace.earnedMs) / 1000} seconds after faster bytes. While another company waits for its place, it must have ${crowdedPace.bytesPerSecond / 1024} KiB a second and can be ${crowdedPace.startMs / 1000} seconds behind. There is no limit on the whole time.`,
  `A client must take an answer at the same pace. It can fall behind by ${leastPace.startMs / 1000} seconds, then the server closes the connection. While another company waits for its place, it must take ${crowdedPace.bytesPerSecond / 1024} KiB a second. Time that the server needs doesn't count. Event streams have no least pace.`,
].join("\n\n");

const growth = [
  "## What grows with use\n",
  "| What | Bound |",
  "|---|---|",
  "| SOPs, users, bytes of texts, images and PDFs | the company's plan: `maxSOPs`, `maxUsers`, `maxBytes` |",
  "| Teams, categories, open invitations, comments | the table below |",
  "| Sessions, open tabs | 20 a user; the oldest session ends |",
  "| Access tokens | 50 a user |",
  "| Suggestions for new SOPs | 1,000 a user |",
  "| Favorites | one for each user and SOP |",
  "| Idempotency records, reset links, known devices, rate limit counters | they expire and are removed |",
  "| Notifications, missed searches | kept for 90 days |",
  "| Records of AI calls | kept for 400 days |",
  "| Proposals | the table below while they are open; kept for 365 days after the decision |",
  "| Versions, approval requests, audit log | kept for good; the texts count in the company's bytes |",
].join("\n");

const introductionOfSizes = "## Sizes and counts";

function sizesTable(): string {
  const rows = (Object.keys(limits) as (keyof typeof limits)[]).map((name) => {
    const [what, unit] = sizes[name];
    return [`\`${name}\``, what, formatLimit(limits[name], unit)];
  });
  return markdownTable(["Limit", "What it bounds", "At most"], rows);
}

type LimitUnit = "bytes" | "ms" | "days" | "";

const sizes: Record<keyof typeof limits, readonly [what: string, unit: LimitUnit]> = {
  document: ["The text of one SOP", "bytes"],
  asset: ["One image or PDF", "bytes"],
  imagePixels: ["Pixels of one image", ""],
  animationPixels: ["Pixels of all frames of an animation", ""],
  exportImages: ["All images in one PDF, Word or HTML file, as stored; in HTML, each place counts", "bytes"],
  printSourcePixels: ["Pixels of all images in one PDF or Word file, as stored", ""],
  printPixels: ["Pixels of all images in one PDF or Word file, scaled down", ""],
  printImagePixels: ["Pixels of one image in a PDF or Word file, scaled down", ""],
  assetsOfReader: ["All images of a user who can't write SOPs: profile pictures", "bytes"],
  json: ["The JSON body of a request", "bytes"],
  signIn: ["The body of a sign-in or registration", "bytes"],
  importRequest: ["The JSON body of an import", "bytes"],
  jsonDepth: ["Nesting of a JSON body", ""],
  tags: ["Tags of an SOP", ""],
  tagCharacters: ["Characters of a tag", ""],
  categoryCharacters: ["Characters of a category's name", ""],
  readMinutes: ["Read time of an SOP, in minutes", ""],
  importDocuments: ["Documents in one import request", ""],
  importFiles: ["Images and PDFs named in one request of an import", ""],
  zipPacked: ["A file to import, as sent", "bytes"],
  zipUnpacked: ["An archive to import, unpacked", "bytes"],
  zipEntries: ["Files in an archive to import", ""],
  zipRatio: ["Unpacked bytes for each packed byte, from 1 MiB on", ""],
  gitRequest: ["A request of git to clone or fetch, unpacked", "bytes"],
  clonedSops: ["SOPs in a clone for a user who can't read everything", ""],
  pushPacked: ["A push by git, packed", "bytes"],
  pushObjects: ["Objects in the pack of a push", ""],
  pushUnpacked: ["Files that a push adds or changes, unpacked", "bytes"],
  pushRefs: ["Branches and tags that a push names", ""],
  pushFiles: ["Files that a push adds, changes or deletes", ""],
  pushDepth: ["Folders inside each other in a push", ""],
  openProposals: ["Open proposals in one company", ""],
  openProposalsOfUser: ["Open proposals of one user", ""],
  fetchedProposals: ["Proposals that a fetch offers under `refs/proposals/`: the newest ones", ""],
  importSource: ["One Word or HTML file to import, unpacked", "bytes"],
  splitSource: ["The text of one file that an import splits into several SOPs", "bytes"],
  pageSize: ["Rows of a page, unless the request says otherwise", ""],
  pageSizeMax: ["Rows of a page", ""],
  renderCpuMs: ["Processor time for one text, or for each piece of a long one", "ms"],
  renderWallMs: ["Time for one text, with the time in the queue; a long one has its processor time on top", "ms"],
  renderPiece: ["A piece of a long text", "bytes"],
  promptCharacters: ["Characters of an instruction to the AI", ""],
  aiCharacters: ["Characters of a text for the AI", ""],
  aiCalls: ["AI calls that one save can name as sources", ""],
  titleCharacters: ["Characters of a title", ""],
  descriptionCharacters: ["Characters of a description", ""],
  noteCharacters: ["Characters of a change note", ""],
  commentCharacters: ["Characters of a comment", ""],
  quoteCharacters: ["Characters of a quote in a comment", ""],
  comments: ["Comments on one SOP, replies included", ""],
  teams: ["Teams of a company", ""],
  categories: ["Categories of a company", ""],
  openInvitations: ["Invitations of a company that can still be used", ""],
  approvers: ["Approvers of one request", ""],
  audienceUsers: ["Users named one by one to confirm reading", ""],
  audienceTeams: ["Teams named to confirm reading", ""],
  dueDays: ["Days until a read confirmation is due", "days"],
  ownRenamesDay: ["Times a day that a user can change the own name; administrators can change it", ""],
  emailsOfUserDay: ["Emails a day to addresses that one user names; beyond, the user copies links", ""],
  emailsOfCompanyDay: ["Emails a day to addresses that users of one company name", ""],
  emailsOfNewCompanyDay: ["The same in the first week of a company", ""],
};

function formatLimit(value: number, unit: LimitUnit): string {
  if (unit === "bytes")
    return value >= 2 ** 20 ? `${formatNumber(value / 2 ** 20)} MiB` : `${formatNumber(value / 2 ** 10)} KiB`;
  if (unit === "ms") return `${formatNumber(value / 1000)} s`;
  return unit === "" ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

function formatNumber(value: number): string {
  return value.toLocaleString("en");
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const tableLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [tableLine(head), tableLine(head.map(() => "---")), ...rows.map(tableLine)].join("\n");
}
