/** Converts a text's links to other SOPs to their stored form, with the facts to store about each link. */
import type { AssetLinks } from "#core/markdown/assets.ts";
import {
  offsetAfterReplacing,
  replaceLinkDestinations,
  readSopAddress,
  sopUrl,
  type SopLink,
  type SopLinkPlace,
} from "#core/markdown/sop-links.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { sopPath } from "#core/repository/names.ts";
import type { Services } from "../../http/services.ts";
import { findVisibleSops, type LinkedSop } from "./titles.ts";

export type LinkingNeeds = Pick<Services, "db" | "render" | "companies" | "address">;

/** A link of a text that isn't stored yet, with the words of the link. */
export interface NewSopLink extends SopLink {
  words: string;
}

export interface LinkedText {
  markdown: string;
  links: NewSopLink[];
}

/**
 * Returns the text with links to SOPs in the form `/sop/SOP-0042`: links to `/sop/<id>`, to an SOP at the server's own
 * address, and to a path of the repository. Links to SOPs that the user can't see stay as written.
 * @param base the links of the version that the text is based on
 * @param known the links in the text, if they are already known
 */
export async function linkSops(
  services: LinkingNeeds,
  actor: Actor,
  markdown: string,
  base: readonly SopLink[] = [],
  known?: readonly SopLinkPlace[],
): Promise<LinkedText> {
  const origin = services.address.url;
  const places = known ?? (await services.render.sopLinks(markdown, origin));
  if (places.length === 0) return { markdown, links: [] };
  const addresses = places.map((place) => readAddress(place, origin, base));
  const seen = await findVisibleSops(
    services,
    actor,
    addresses.flatMap((address) => address?.names.map(({ to }) => to) ?? []),
  );
  const targets = addresses.map((address) => {
    if (address === null) return null;
    // the slug is compared too, because a path in another company's repository can have the same number
    const name = address.names.find(({ to, slug }) => slug === null || seen.get(to)?.sop.slug === slug);
    if (name === undefined) return null;
    const found = seen.get(name.to);
    return { to: found?.sop.label ?? name.to, found, fragment: address.fragment };
  });
  const resolved = places.flatMap((place, index) => {
    const target = targets[index];
    return target ? [{ ...place, ...target }] : [];
  });
  const plain = resolved.filter(({ start }) => start >= 0);
  const moves = plain.map(({ start, url, to, fragment }) => ({ start, from: url, to: sopUrl(to, fragment) }));
  const { text, starts } = replaceLinkDestinations(markdown, moves);
  const slugs = await loadCategorySlugsById(services, actor.companyId);
  const following = new Set(base.flatMap((link) => (link.text === null ? [] : [`${link.to} ${link.text}`])));
  const links = resolved.map((link): NewSopLink => {
    const { to, found, text: words } = link;
    const follows = words !== "" && (following.has(`${to} ${words}`) || visibleTitlesOfLink(found).includes(words));
    const at = link.start < 0 ? -1 : (starts[plain.indexOf(link)] ?? -1);
    return { to, at, path: found ? publicPath(found, slugs) : null, text: follows ? words : null, words };
  });
  return { markdown: text, links };
}

function readAddress({ url }: SopLinkPlace, origin: string, base: readonly SopLink[]) {
  const address = readSopAddress(url, origin);
  if (address === null) return null;
  const { fragment } = address;
  if (address.kind === "sop") return { names: [{ to: address.to, slug: null }], fragment };
  const before = base.find(({ path }) => path === address.path);
  if (before) return { names: [{ to: before.to, slug: null }], fragment };
  return { names: address.names.map(({ number, slug }) => ({ to: number, slug })), fragment };
}

/** Returns the titles of the linked SOP that the user can see. */
function visibleTitlesOfLink(found: LinkedSop | undefined): string[] {
  if (!found) return [];
  const { sop, title } = found;
  return sop.published ? [title, sop.published.title] : [title];
}

/**
 * Returns the SOP's path in exported files; null unless the SOP is published and unrestricted, because the file's
 * readers may have less access than its author.
 */
function publicPath({ sop }: LinkedSop, slugs: ReadonlyMap<string, string>): string | null {
  const { published, restricted, addressFixed, status, label, slug } = sop;
  if (published === null || restricted || addressFixed !== true || status === "archived") return null;
  const categorySlug = published.categoryId === null ? null : (slugs.get(published.categoryId) ?? null);
  return sopPath({ label, slug, categorySlug, isTemplate: published.isTemplate, archived: false });
}

async function loadCategorySlugsById({ companies }: Pick<Services, "companies">, companyId: string) {
  return new Map((await companies.categories(companyId)).map(({ _id, slug }) => [_id, slug]));
}

/**
 * Returns the text and its links with numbers in place of ids. New SOPs of an import link each other by id until they
 * have numbers.
 * @param numbers the numbers by id, with their titles
 */
export function withNumbersForIds<L extends AssetLinks & { sops: NewSopLink[] }>(
  markdown: string,
  links: L,
  numbers: ReadonlyMap<string, { number: string; title: string }>,
): { markdown: string; links: L } {
  if (!links.sops.some(({ to }) => numbers.has(to))) return { markdown, links };
  const moves = links.sops.flatMap(({ to, at }) => {
    const found = numbers.get(to);
    return found && at >= 0 ? [{ start: at, from: sopUrl(to), to: sopUrl(found.number) }] : [];
  });
  const sops = links.sops.map((link): NewSopLink => {
    const found = numbers.get(link.to);
    const at = link.at < 0 ? -1 : offsetAfterReplacing(link.at, moves);
    if (!found) return { ...link, at };
    return { ...link, at, to: found.number, text: link.words === found.title ? link.words : null };
  });
  const places = links.places.map((place) => offsetAfterReplacing(place, moves));
  return { markdown: replaceLinkDestinations(markdown, moves).text, links: { ...links, places, sops } };
}

/** Returns the links to store, without their words, which are in the text. */
export function storedLinks(links: readonly NewSopLink[]): SopLink[] {
  return links.map(({ words: _words, ...link }) => link);
}
