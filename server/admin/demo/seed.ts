/** Creates the example company through the API's handlers. Each action has its own time and user. */
import { AcknowledgeBody, AcknowledgementAsk } from "#core/acknowledgements/schema.ts";
import { ApprovalAsk, ChangesAsk, DecisionAsk } from "#core/approvals/schema.ts";
import { CategoryCreate, CategoryUpdate } from "#core/categories/schema.ts";
import { fixedClock } from "#core/clock.ts";
import { CommentCreate, CommentResolve } from "#core/comments/schema.ts";
import { SearchQuery } from "#core/search/schema.ts";
import { ChangeNote, SopCreate, SopUpdate } from "#core/sops/schema.ts";
import { sopUrl } from "#core/markdown/sop-links.ts";
import { defaultNumberLabel } from "#core/repository/names.ts";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Koa from "koa";
import { defaultSettings } from "#core/companies/settings.ts";
import { newId } from "#core/ids.ts";
import { acknowledgementHandlers } from "../../acknowledgements/handlers.ts";
import { approvalHandlers } from "../../approvals/handlers.ts";
import { createFirstAdmin } from "../../sign-in/setup.ts";
import { categoryHandlers } from "../../categories/handlers.ts";
import { commentHandlers } from "../../comments/handlers.ts";
import type { Config } from "../../config.ts";
import type { UserDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import { createRecentRecorder } from "../../favorites/recorder.ts";
import { searchHandlers } from "../../search/handlers.ts";
import { createLog, openServices } from "../../services.ts";
import { sopHandlers } from "../../sops/handlers.ts";
import { createViewCounter } from "../../sops/view/view-counter.ts";
import type { DemoAcknowledgement, DemoCompany, DemoSop } from "./company.ts";
import { createDemoCompany, type DemoPeople } from "./people.ts";
import { companyCreatedAt, storyEvents, type StoryEvent } from "./story.ts";
import { actorOf } from "../../http/identify.ts";

const app = new Koa();

/** The password of all demo users: long enough for every password policy. */
export const demoPassword = "brackenfold-demo";

/**
 * Creates the example company unless it exists.
 * @param now the time in milliseconds at which the story ends
 * @param onProgress called after each event of the story
 * @returns false if the company existed already
 * @throws AppError conflict when the data folder has another administrator
 */
export async function seedCompany(
  config: Config,
  unlinked: DemoCompany,
  now: number,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<boolean> {
  const company = linkDemoSops(unlinked);
  const clock = fixedClock(companyCreatedAt(company, now));
  const log = createLog(config);
  const services = await openServices({ config, clock, log });
  const views = createViewCounter(services.db, clock, log);
  const recent = createRecentRecorder(services.db, clock, log);
  try {
    if (await services.db.collection("companies").findOne({ slug: company.slug })) return false;
    const people = await createCompanies(services, company);
    const categories = await createDemoCategories(services, company, people);
    const handlers = {
      sops: sopHandlers(services, views, recent),
      approvals: approvalHandlers(services),
      comments: commentHandlers(services),
      acknowledgements: acknowledgementHandlers(services),
    };
    const play = createStoryPlayer(handlers, people, categories);
    const story = storyEvents(company, now);
    for (const [at, happening] of story.entries()) {
      clock.set(happening.at);
      await play(happening);
      onProgress(at + 1, story.length);
    }
    await services.db
      .collection("companies")
      .updateOne({ _id: people.companyId }, { $set: { "settings.textRules": "minimal" } });
    await searchAsDemoUsers(services, company, people);
    const companies = await services.db.collection("companies").find({});
    for (const { _id } of companies) await services.repositories.drain(_id);
    return true;
  } finally {
    await views.close();
    await recent.close();
    await services.close();
    log.flush();
  }
}

/** Searches as users of the demo for words that no SOP contains, so that suggestions have evidence. */
async function searchAsDemoUsers(services: Services, company: DemoCompany, people: DemoPeople): Promise<void> {
  const { find } = searchHandlers(services);
  for (const { words, by } of company.searches) {
    for (const username of by) {
      const user = people.users.get(username);
      if (!user) throw new Error(`company.json has no user named ${username}`);
      await find({ ...createCallBuilder(user)(undefined, undefined), query: SearchQuery.parse({ q: words }) });
    }
  }
  await services.missed.flush();
}

/**
 * Creates the administrator's company and the example company. Hashes the shared password once, because hashing is
 * slow.
 */
async function createCompanies(services: Services, company: DemoCompany): Promise<DemoPeople> {
  const { db, clock, passwords } = services;
  const admin = { username: company.system.username, name: company.system.name, password: demoPassword };
  const founder = await createFirstAdmin(services, admin, null);
  const { title, department } = company.system;
  await db.collection("users").updateOne({ _id: founder._id }, { $set: { title, department } });
  const passwordHash = await passwords.hash(demoPassword);
  return db.transaction((tx) => createDemoCompany(tx, company, founder, passwordHash, clock.now()));
}

/** Assigns the default categories to their teams, and creates the other categories. @returns category ids by name */
async function createDemoCategories(services: Services, company: DemoCompany, people: DemoPeople) {
  const handlers = categoryHandlers(services);
  const admin = [...people.users.values()].find(({ role }) => role === "company_admin");
  if (!admin) throw new Error("company.json has no company_admin");
  const call = createCallBuilder(admin);
  const started = await services.companies.categories(people.companyId);
  const ids = new Map(started.map(({ name, _id }) => [name, _id]));
  for (const { name, color, team } of company.categories) {
    const id = ids.get(name);
    const teamId = people.teams.get(team);
    if (id === undefined) {
      const made = await handlers.create(call(undefined, CategoryCreate.parse({ name, color, teamId })));
      ids.set(name, made.id);
    } else await handlers.update(call({ id }, CategoryUpdate.parse({ teamId })));
  }
  return ids;
}

interface StoryHandlers {
  sops: ReturnType<typeof sopHandlers>;
  approvals: ReturnType<typeof approvalHandlers>;
  comments: ReturnType<typeof commentHandlers>;
  acknowledgements: ReturnType<typeof acknowledgementHandlers>;
}

function createStoryPlayer(
  { sops, approvals, comments, acknowledgements }: StoryHandlers,
  people: DemoPeople,
  categories: ReadonlyMap<string, string>,
): (happening: StoryEvent) => Promise<void> {
  const ids = new Map<DemoSop, string>();
  const requests = new Map<DemoSop, string>();
  const threads = new Map<string, string>();
  const userNamed = (username: string): UserDocument => {
    const user = people.users.get(username);
    if (!user) throw new Error(`company.json has no user named ${username}`);
    return user;
  };
  return async ({ sop, deed }) => {
    const call = createCallBuilder(userNamed(deed.by));
    const params = { id: ids.get(sop) ?? "" };
    switch (deed.verb) {
      case "create": {
        const made = await sops.create(call(undefined, createSopBody(sop, deed.reviewBy, people, categories)));
        ids.set(sop, made.id);
        return;
      }
      case "save": {
        const body = { markdown: deed.body, changeNote: deed.note, changeClass: "minor" };
        await sops.update(call(params, SopUpdate.parse(body)));
        return;
      }
      case "submit": {
        const approverIds = deed.approvers.map((username) => userNamed(username)._id);
        const body = ApprovalAsk.parse({ approverIds, requestNote: deed.note });
        requests.set(sop, (await sops.requestApproval(call(params, body))).id);
        return;
      }
      case "approve":
      case "request_changes": {
        const request = { id: requests.get(sop) ?? "" };
        const body = { comment: deed.comment };
        if (deed.verb === "approve") await approvals.approve(call(request, DecisionAsk.parse(body)));
        else await approvals.requestChanges(call(request, ChangesAsk.parse(body)));
        return;
      }
      case "comment": {
        // the quoted words alone show where the comment belongs in the text
        const anchor = deed.quote === null ? null : { block: "", quote: deed.quote };
        const made = await comments.create(call(params, CommentCreate.parse({ content: deed.body, anchor })));
        threads.set(`${sop.file} ${deed.thread}`, made.id);
        return;
      }
      case "reply": {
        const parentId = threads.get(`${sop.file} ${deed.thread}`);
        await comments.create(call(params, CommentCreate.parse({ content: deed.body, parentId })));
        return;
      }
      case "resolve": {
        const commentId = threads.get(`${sop.file} ${deed.thread}`) ?? "";
        await comments.resolve(call({ ...params, commentId }, CommentResolve.parse({ resolved: true })));
        return;
      }
      case "ask_readers":
        await acknowledgements.ask(call(params, demoAudience(deed.ask, people)));
        return;
      case "confirm": {
        const { version, published } = await sops.get({ ...call(params, undefined), query: {} });
        const read = AcknowledgeBody.parse({ version: published?.version ?? version });
        await acknowledgements.confirm(call(params, read));
        return;
      }
      case "read":
        await sops.get({ ...call(params, undefined), query: {} });
        return;
      case "star":
        await sops.favorite(call(params, undefined));
        return;
      case "publish":
      case "archive":
        await sops[deed.verb](call(params, ChangeNote.parse({ changeNote: deed.note })));
    }
  };
}

function demoAudience({ everyone, users = [], teams = [], dueDays }: DemoAcknowledgement, people: DemoPeople) {
  return AcknowledgementAsk.parse({
    everyone,
    userIds: users.map((username) => people.users.get(username)?._id),
    teamIds: teams.map((slug) => people.teams.get(slug)),
    dueDays,
  });
}

/** Returns the body of a request to create an SOP, as the form sends it. */
function createSopBody(
  sop: DemoSop,
  reviewBy: string | null,
  people: DemoPeople,
  categories: ReadonlyMap<string, string>,
): SopCreate {
  const { title, description, tags, team, lang, template, ai_generated, read_minutes } = sop.frontMatter;
  return SopCreate.parse({
    title,
    description,
    tags,
    lang,
    markdown: sop.body,
    readTime: read_minutes,
    reviewBy,
    isTemplate: template,
    isAiGenerated: ai_generated,
    categoryId: categories.get(sop.category),
    teamId: team === undefined ? undefined : people.teams.get(team),
  });
}

/**
 * Replaces links between the files of the example company by links between its SOPs. The numbers are known, because
 * SOPs get them in the order of their creation.
 */
export function linkDemoSops(company: DemoCompany): DemoCompany {
  const created = storyEvents(company, 0).filter(({ deed }) => deed.verb === "create");
  const numbers = new Map(created.map(({ sop }, index) => [sop.file, defaultNumberLabel(index + 1)]));
  const withSopLinks = (text: string) =>
    text.replace(/\]\(([\w-]+\.md)\)/g, (written, file: string) => {
      const number = numbers.get(file);
      return number === undefined ? written : `](${sopUrl(number)})`;
    });
  return { ...company, sops: company.sops.map((sop) => ({ ...sop, body: withSopLinks(sop.body) })) };
}

/**
 * Creates a function that builds the input of a handler for a call by this user, as if the user were signed in over
 * HTTP. The permissions follow from the default settings, which the demo's companies use.
 */
export function createCallBuilder(user: UserDocument) {
  const actor = actorOf(user, { settings: defaultSettings }, user.createdAt);
  const identity = { actor, user, tokenId: null, session: null };
  return <Params, Body>(params: Params, body: Body) => {
    const request = new IncomingMessage(new Socket());
    return {
      params,
      query: undefined,
      body,
      identity,
      origin: { requestId: newId(), ipAddress: null, userAgent: "sop admin demo" },
      ifMatch: null,
      idempotency: null,
      progress: null,
      ctx: app.createContext(request, new ServerResponse(request)),
    };
  };
}
