/**
 * The example company from `templates/demo`. `test/templates.test.ts` checks people, permissions and texts together.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Role } from "#core/permissions/roles.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { CategoryCreate } from "#core/categories/schema.ts";
import type { z } from "zod";
import type { SopStatus } from "#core/sops/statuses.ts";
import { paths } from "../../paths.ts";

export interface DemoPerson {
  username: string;
  name: string;
  role: Role;
  title: string;
  department: string;
  team?: string;
}

export interface DemoEdit {
  author: string;
  daysAgo: number;
  note: string;
  /** True if the text stays a draft while readers see the previous version. */
  afterPublication?: true;
  replace: [from: string, to: string];
}

/** A decision about the SOP's text at that time. */
interface DemoDecision {
  by: string;
  daysAgo: number;
  verb: "approve" | "request_changes";
  comment?: string;
}

export interface DemoRemark {
  by: string;
  daysAgo: number;
  body: string;
}

/** A thread of comments. With a quote, it is about the quoted words. */
interface DemoComment extends DemoRemark {
  quote?: string;
  replies?: DemoRemark[];
  resolved?: { by: string; daysAgo: number };
}

export interface DemoAcknowledgement {
  by: string;
  daysAgo: number;
  everyone?: true;
  users?: string[];
  /** The slugs of the teams. */
  teams?: string[];
  dueDays: number;
  confirmed: { by: string; daysAgo: number }[];
}

export interface DemoSop {
  file: string;
  category: string;
  author: string;
  status: SopStatus;
  publishedBy?: string;
  daysAgo: number;
  favoriteOf: string[];
  /** Days from today to the review date. */
  reviewInDays?: number;
  /** The approvers of the latest text. If the SOP is published, they have approved it. */
  approvers?: string[];
  requestNote?: string;
  decisions?: DemoDecision[];
  comments?: DemoComment[];
  acknowledgement?: DemoAcknowledgement;
  edits: DemoEdit[];
  /** The front matter of the file. */
  frontMatter: FrontMatter;
  body: string;
}

export interface DemoTeam {
  name: string;
  slug: string;
  owner: string;
  members: string[];
}

export interface DemoCompany {
  name: string;
  slug: string;
  description: string;
  industry: string;
  size: string;
  subscription: string;
  maxUsers: number;
  maxSOPs: number;
  system: DemoPerson;
  users: DemoPerson[];
  teams: DemoTeam[];
  categories: { name: string; color: z.output<typeof CategoryCreate>["color"]; team: string }[];
  /** Recent searches without results. */
  searches: { words: string; by: string[] }[];
  sops: DemoSop[];
}

export async function readDemoCompany(): Promise<DemoCompany> {
  const company = JSON.parse(await readFile(path.join(paths.demo, "company.json"), "utf8")) as DemoCompany;
  const sops = await Promise.all(
    company.sops.map(async (sop) => ({
      ...sop,
      ...readMarkdownFile(await readFile(path.join(paths.demo, "sops", sop.file), "utf8")),
    })),
  );
  return { ...company, sops };
}
