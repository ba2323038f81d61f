/** The search of an exported site: the export creates the index, and a script in the page reads it. */
import type { Nodes } from "hast";
import MiniSearch from "minisearch";
import { catalog } from "../language/catalog.ts";
import { formatter, numberText } from "../language/formats.ts";
import { languageCode } from "../language/spoken.ts";
import { parseHtml } from "../markdown/html-tree.ts";
import { siteWords } from "./site-words.ts";

export interface SiteSearchEntry {
  name: string;
  number: string;
  title: string;
  description: string;
  text: string;
  /** The number and version, shown below a search result. */
  facts: string;
  status: string;
  /** True for an unpublished version. */
  marked: boolean;
}

/**
 * Returns the words of rendered HTML that the search of a site finds, without tags and attributes. @param html from
 * `renderHtml`
 */
export function searchableTextOf(html: string): string {
  const textOf = (node: Nodes): string => {
    if (node.type === "text") return node.value;
    const text = "children" in node ? node.children.map(textOf).join("") : "";
    return node.type === "element" && inWords.test(node.tagName) ? text : ` ${text} `;
  };
  return textOf(parseHtml(html)).replace(/\s+/g, " ").trim();
}

/** Matches elements that don't end a word: `H<sub>2</sub>O`. */
const inWords = /^(?:a|b|bdi|code|del|em|i|ins|kbd|mark|s|small|span|strong|sub|sup|u)$/;

/** Options of the index, used by the export and by the search script in the page. */
const options = {
  idField: "name",
  fields: ["number", "title", "description", "text"],
  storeFields: ["title", "description", "facts", "status", "marked"],
};

/** Returns a script that loads the index into the page, because a page opened from a disk can't fetch a file. */
export function searchIndexScript(all: readonly SiteSearchEntry[]): string {
  const index = new MiniSearch<SiteSearchEntry>({ ...options, tokenize: siteWords, processTerm: (term) => term });
  index.addAll(all);
  // the index is a string in the script, so that no document's text can end the script
  return `self.sopIndex=${JSON.stringify(JSON.stringify(index)).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")};\n`;
}

const texts = catalog("core.export.search", {
  found: "{count, plural, one {# document} other {# documents}}",
  failed: "The search could not be loaded.",
});

/** Returns the text with the number of results for each plural form, with `#` in place of the number. */
function resultCountTexts(): Record<string, string> {
  const rules = formatter.getPluralRules(languageCode());
  const samples = new Map(Array.from({ length: 200 }, (_, count) => [rules.select(count), count]));
  return Object.fromEntries(
    [...samples].map(([form, count]) => [form, texts.found({ count }).replace(numberText(count), "#")]),
  );
}

/** Returns the search script of the page in the current language. The script loads the index at the first search. */
export const searchScript = () => `"use strict";
(() => {
  const form = document.querySelector(".search");
  const field = form.elements.q;
  const results = document.getElementById("results");
  const all = document.getElementById("all");
  const status = document.getElementById("search-status");
  const tokenize = ${siteWords.toString()};
  const options = { idField: "name", fields: ["number", "title", "description", "text"], storeFields: ["title", "description", "facts", "status", "marked"], tokenize, processTerm: (term) => term };
  const loadScript = (file) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = file;
    script.onload = resolve;
    script.onerror = () => reject(new Error(file));
    document.head.append(script);
  });
  const words = ${JSON.stringify({ language: languageCode(), found: resultCountTexts(), failed: texts.failed })};
  const countText = (found) => {
    const form = new Intl.PluralRules(words.language).select(found);
    return (words.found[form] ?? words.found.other).replace("#", new Intl.NumberFormat(words.language).format(found));
  };
  let index;
  let terms;
  const loadIndex = () => (index ??= Promise.all([loadScript("${"site/minisearch.js"}"), loadScript("${"site/index.js"}")]).then(() => {
    terms = JSON.parse(self.sopIndex).index.map(([term]) => term);
    return MiniSearch.loadJSON(self.sopIndex, options);
  }));
  const createTextElement = (tag, text, name) => {
    const node = document.createElement(tag);
    node.textContent = text;
    if (name) node.className = name;
    return node;
  };
  const createResultItem = (hit) => {
    const item = document.createElement("li");
    const link = createTextElement("a", hit.title);
    link.href = "sops/" + hit.id + ".html";
    const facts = createTextElement("p", hit.facts && hit.status ? hit.facts + " · " : hit.facts, "meta");
    facts.append(createTextElement("span", hit.status, hit.marked ? "status marked" : ""));
    item.append(link, createTextElement("p", hit.description), facts);
    return item;
  };
  // if no document has the words as typed, documents with one wrong letter match, then those with two
  const typosFrom = (most, from) => (term) => (term.length >= from && !/^\\d+$/.test(term) ? most : false);
  const boost = { title: 4, number: 4, description: 2 };
  const findWordParts = (index, words) => {
    const queries = tokenize(words).map((part) => terms.filter((term) => (part.length > 2 ? term.includes(part) : term === part)));
    if (queries.length === 0 || queries.some((found) => found.length === 0)) return [];
    return index.search({ combineWith: "AND", queries: queries.map((found) => ({ combineWith: "OR", queries: found })) }, { boost });
  };
  const findDocuments = (index, words) => {
    const first = index.search(words, { boost, prefix: (term) => term.length > 1, combineWith: "AND" });
    const known = new Set(first.map(({ id }) => id));
    const found = [...first, ...findWordParts(index, words).filter(({ id }) => !known.has(id))];
    if (found.length > 0) return found;
    for (const fuzzy of [typosFrom(1, 4), typosFrom(2, 5)]) {
      const near = index.search(words, { boost, prefix: (term) => term.length > 1, fuzzy, combineWith: "AND" });
      if (near.length > 0) return near;
    }
    return [];
  };
  const showResults = async () => {
    const asked = field.value.trim();
    all.hidden = asked !== "";
    results.hidden = asked === "";
    if (asked === "") { status.textContent = ""; return; }
    try {
      const found = findDocuments(await loadIndex(), asked);
      if (field.value.trim() !== asked) return;
      status.textContent = countText(found.length);
      results.replaceChildren(...found.slice(0, 100).map(createResultItem));
    } catch {
      status.textContent = words.failed;
      all.hidden = false;
    }
  };
  const keepSearchInAddress = () => {
    try { history.replaceState(null, "", field.value.trim() ? "?q=" + encodeURIComponent(field.value.trim()) : location.pathname); } catch { /* not allowed for a page from a disk */ }
  };
  field.addEventListener("input", showResults);
  form.addEventListener("submit", (event) => { event.preventDefault(); keepSearchInAddress(); void showResults(); });
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  if (field.value) void showResults();
})();
`;
