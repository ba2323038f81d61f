/**
 * Plays a company's life into a memory ledger: every verb, in the form that the save path writes. Ids and times are
 * fixed.
 */
import {
  createFoundingEvent,
  createRepoEvent,
  type CategoryEntry,
  type NewRepoEvent,
  type SopFilePlace,
  type RepoEvent,
  type RepoEventItem,
} from "#core/repository/event.ts";
import { latinSlug, defaultNumberLabel } from "#core/repository/names.ts";
import { repositoryPlaceOf, type SopPlaceFacts } from "#core/repository/place.ts";
import { createMemoryLedger, type MemoryLedger } from "./memory-ledger.ts";

export interface StorySop extends SopPlaceFacts {
  id: string;
  title: string;
  /** Title and hash of the published version. */
  onMain: { title: string; contentHash: string } | null;
  contentHash: string;
  assets: string[];
}

export type EventDetails = Partial<
  Pick<NewRepoEvent, "note" | "aiModel" | "approvals" | "requestId" | "importId" | "authorId" | "authorName" | "at">
>;

export interface CompanyStory {
  readonly companyId: string;
  readonly ledger: MemoryLedger;
  readonly sops: StorySop[];
  create(
    title: string,
    body: string,
    options?: { category?: string | null; template?: boolean },
    more?: EventDetails,
  ): StorySop;
  importBatch(
    documents: readonly { title: string; body: string; category?: string; assets?: string[] }[],
    more?: EventDetails,
  ): StorySop[];
  save(sop: StorySop, title: string, body: string, assets?: string[], more?: EventDetails): void;
  restore(sop: StorySop, version: number, more?: EventDetails): void;
  publish(sop: StorySop, more?: EventDetails): void;
  unpublish(sop: StorySop, more?: EventDetails): void;
  archive(sop: StorySop, more?: EventDetails): void;
  unarchive(sop: StorySop, more?: EventDetails): void;
  remove(sop: StorySop, more?: EventDetails): void;
  undelete(sop: StorySop, more?: EventDetails): void;
  move(sop: StorySop, category: string | null, more?: EventDetails): void;
  setCategories(categories: CategoryEntry[], more?: EventDetails): void;
}

export const storyStart = "2026-11-20T16:02:11.412Z";

const firstCategories: CategoryEntry[] = [
  { slug: "hr-procedures", name: "HR Procedures", color: "primary", order: 1 },
  { slug: "it-operations", name: 'IT "Operations": 24/7', color: "accent", order: 3 },
  { slug: "safety-protocols", name: "Safety Protocols", color: "secondary", order: 2 },
];

export function createCompanyStory(companyId = "0198f0c2-0000-7c11-9a44-000000000001"): CompanyStory {
  const ledger = createMemoryLedger();
  const sops: StorySop[] = [];
  const texts = new Map<string, { title: string; body: string }>();
  let seconds = 0;

  const append = (event: RepoEvent): void => ledger.append(event);
  append(createFoundingEvent({ id: companyId, name: "Analytical Engines Ltd" }, firstCategories, storyStart));

  const write = (type: NewRepoEvent["type"], items: RepoEventItem[], more: Partial<NewRepoEvent> = {}): void => {
    seconds += 61;
    const at = new Date(Date.parse(storyStart) + seconds * 1000).toISOString();
    const author = { authorId: "u-7f3a", authorName: "Grace Hopper" };
    append(createRepoEvent({ companyId, seq: ledger.stored.length, type, at, ...author, items, ...more }));
  };
  const item = (sop: StorySop, before: SopFilePlace | null): RepoEventItem => {
    const after = repositoryPlaceOf(sop);
    const shown = after.mainVersion ?? before?.mainVersion ?? null;
    return {
      sopId: sop.id,
      version: sop.version,
      number: Number(sop.label.slice(4)),
      title: sop.title,
      contentHash: sop.contentHash,
      ...(sop.assets.length > 0 ? { assets: [...sop.assets] } : {}),
      ...(shown !== null && shown !== sop.version && sop.onMain !== null ? { inForce: { ...sop.onMain } } : {}),
      before,
      after,
    };
  };
  const change = (type: NewRepoEvent["type"], sop: StorySop, edit: () => void, more?: Partial<NewRepoEvent>): void => {
    const before = repositoryPlaceOf(sop);
    edit();
    write(type, [item(sop, before)], more);
  };
  const setText = (sop: StorySop, title: string, body: string): void => {
    sop.title = title;
    texts.set(`${sop.id} ${sop.version}`, { title, body });
    const head = `---\nsop: "${sop.label}"\nid: "${sop.id}"\nversion: ${sop.version}\ntitle: ${JSON.stringify(title)}\nowner: "${Number(sop.label.slice(4)) % 2 === 0 ? "ada.lovelace" : "grace.hopper"}"\n---\n\n`;
    sop.contentHash = ledger.putFile(sop.id, sop.version, Buffer.from(head + body));
  };
  const newSop = (title: string, body: string, category: string | null, template: boolean): StorySop => {
    const number = sops.length + 1;
    const sop: StorySop = {
      id: `0198f0c2-5b7e-7c11-9a44-${String(number).padStart(12, "0")}`,
      label: defaultNumberLabel(number),
      // an old path stays, although new ones spell other scripts in Latin letters
      slug: latinSlug(title),
      categorySlug: category,
      isTemplate: template,
      status: "draft",
      version: 1,
      published: null,
      lastPublished: null,
      onMain: null,
      deletedAt: null,
      title,
      contentHash: "",
      assets: [],
    };
    sops.push(sop);
    setText(sop, title, body);
    return sop;
  };

  return {
    companyId,
    ledger,
    sops,
    create: (title, body, { category = "it-operations", template = false } = {}, more) => {
      const sop = newSop(title, body, category, template);
      write("create", [item(sop, null)], more);
      return sop;
    },
    importBatch: (documents, more) => {
      const made = documents.map(({ title, body, category, assets = [] }) =>
        Object.assign(newSop(title, body, category ?? null, false), { assets }),
      );
      const items = made.map((sop) => item(sop, null));
      write("import", items, { importId: "42", ...more });
      return made;
    },
    save: (sop, title, body, assets = [], more) =>
      change(
        "save",
        sop,
        () => {
          sop.version += 1;
          sop.assets = assets;
          if (sop.status !== "archived") sop.status = "draft";
          setText(sop, title, body);
        },
        more,
      ),
    restore: (sop, version, more) =>
      change(
        "restore",
        sop,
        () => {
          const old = texts.get(`${sop.id} ${version}`);
          sop.version += 1;
          setText(sop, old?.title ?? sop.title, old?.body ?? "");
        },
        { restores: version, ...more },
      ),
    publish: (sop, more) =>
      change(
        "publish",
        sop,
        () => {
          sop.status = "published";
          const { version, isTemplate, categorySlug } = sop;
          sop.published = { version, isTemplate, categorySlug };
          sop.onMain = { title: sop.title, contentHash: sop.contentHash };
        },
        more,
      ),
    unpublish: (sop, more) =>
      change("unpublish", sop, () => Object.assign(sop, { status: "draft", published: null }), more),
    archive: (sop, more) =>
      change(
        "archive",
        sop,
        () =>
          Object.assign(sop, { status: "archived", lastPublished: sop.published?.version ?? null, published: null }),
        more,
      ),
    unarchive: (sop, more) =>
      change("unarchive", sop, () => Object.assign(sop, { status: "draft", lastPublished: null }), more),
    remove: (sop, more) => change("delete", sop, () => (sop.deletedAt = storyStart), more),
    undelete: (sop, more) => change("undelete", sop, () => (sop.deletedAt = null), more),
    move: (sop, category, more) => change("move", sop, () => Object.assign(sop, movedToCategory(sop, category)), more),
    setCategories: (categories, more) => write("category", [], { categories, ...more }),
  };
}

/** The change of a moved SOP, whose published version moves too. */
function movedToCategory({ published }: StorySop, categorySlug: string | null): Partial<StorySop> {
  return { categorySlug, published: published && { ...published, categorySlug } };
}
