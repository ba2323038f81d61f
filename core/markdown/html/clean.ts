import type { Root } from "hast";
import { sanitize } from "hast-util-sanitize";
import { readingOfHtml, type ReadingToken } from "#core/markdown/html/reading.ts";
import { parseHtml } from "../html-tree.ts";
import { dropDuplicateContent, convertBoxesToAlerts } from "./boxes.ts";
import { convertConfluenceHtml, rewriteStorageTags } from "./confluence.ts";
import { convertGoogleDocsHtml } from "./google-docs.ts";
import { createLossCollector, reportHtmlLosses, type Losses, lossTexts } from "./losses.ts";
import { convertOfficeHtml } from "./office.ts";
import { prepareHtmlTree } from "./prepare.ts";
import { inputSchema } from "./schema.ts";
import { restructureHtml } from "./structure.ts";
import { classRules } from "./styles.ts";
import { replaceSymbolFontCharacters } from "./symbol-fonts.ts";
import { convertCheckboxes } from "./tasks.ts";
import { keepVisibleContent } from "./visible.ts";

export interface CleanHtml {
  /** The things that a reader sees in the original HTML, in order (`reading.ts`). */
  source: ReadingToken[];
  /** The original elements, with only the words, checkboxes and images that a browser shows. */
  page: Root;
  /** The content with only those elements that Markdown or HTML in a text can have, nested as in Markdown. */
  root: Root;
  losses: Losses;
}

/**
 * Cleans HTML of any origin (Word, Google Docs, Confluence, a web page, the product's own views) for a conversion to
 * Markdown. API, imports and the editor's clipboard share this function. Throws `RangeError` for HTML nested too
 * deeply.
 */
export function cleanHtml(html: string): CleanHtml {
  const losses = createLossCollector();
  const parsed = parseHtml(rewriteStorageTags(html));
  dropDuplicateContent(parsed);
  replaceSymbolFontCharacters(parsed, losses);
  convertCheckboxes(parsed);
  convertBoxesToAlerts(parsed);
  const source = readingOfHtml(parsed);
  convertOfficeHtml(parsed, losses);
  convertGoogleDocsHtml(parsed);
  for (const [name] of convertConfluenceHtml(parsed)) losses.add(lossTexts.macro(), name);
  reportHtmlLosses(parsed, losses);
  const rules = classRules(parsed);
  keepVisibleContent(parsed, losses);
  const root = sanitize(restructureHtml(parsed, rules, losses), inputSchema) as Root;
  prepareHtmlTree(root, losses);
  return { source, page: parsed, root, losses };
}
