/**
 * Checks the numbers that imported files ask for (`number` in the front matter). Refuses a file whose number is taken
 * or doesn't fit.
 */
import type { ImportOutcome, ImportRequest } from "#core/sops/import-schema.ts";
import { findCategory } from "#core/categories/rules.ts";
import { uniqueCategorySlug } from "#core/categories/slug.ts";
import { chooseCategory, categoryNamedIn } from "#core/sops/import-rules.ts";
import {
  exampleNumber,
  spellNumberByScheme,
  isNearlyNumberOfScheme,
  isNumberOfScheme,
  numberKey,
  readNumber,
  withLookalikesReplaced,
} from "#core/numbers/numbers.ts";
import type { CategoryDocument, ReservedNumberDocument, SopDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import { numberSchemeOf, findTakenNumberKeys } from "../edit/numbers.ts";
import { createImportNote, noteTexts } from "./note-texts.ts";
import type { ImportNote, ReadDocument } from "./read.ts";
import type { MessageWithId, Sentence } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

/** The decision about a document so far. */
interface DocumentDecision {
  path: string;
  outcome: ImportOutcome;
  sop: SopDocument | null;
  notes: ImportNote[];
  reason?: Sentence;
  wanted?: string;
  reserved?: ReservedNumberDocument;
}

interface ChosenNumbers {
  scheme: string;
  categories: readonly CategoryDocument[];
  year: number;
  /** The keys of numbers that SOPs have, deleted ones included, or that imports reserved. */
  taken: ReadonlySet<string>;
}

/** Loads the facts for deciding about numbers in documents; null if no document has a number. */
export async function loadChosenNumbers(
  { db, companies, clock }: Pick<Services, "db" | "companies" | "clock">,
  companyId: string,
  documents: readonly ReadDocument[],
): Promise<ChosenNumbers | null> {
  const wanted = documents.flatMap((document) => numberInFrontMatter(document) ?? []);
  if (documents.every(({ content }) => content?.frontMatter.sop === undefined && !content?.frontMatter.number))
    return null;
  const company = await companies.get(companyId);
  return {
    scheme: numberSchemeOf(company?.settings ?? {}),
    categories: await companies.categories(companyId),
    year: Number(clock.now().slice(0, 4)),
    taken: await findTakenNumberKeys(db, companyId, wanted.map(readNumber)),
  };
}

function numberInFrontMatter({ content }: ReadDocument): string | undefined {
  return content?.frontMatter.number?.trim() || undefined;
}

/** Decides about the number that a document asks for: accepts it, or refuses the document with the reason. */
export function decideNumber<D extends DocumentDecision>(
  decided: D,
  {
    document,
    request,
    numbers,
    earlier,
    isPush,
  }: {
    document: ReadDocument;
    request: ImportRequest;
    numbers: ChosenNumbers | null;
    earlier: readonly DocumentDecision[];
    /** True for a file of the repository, whose number is of this company and not of another server. */
    isPush: boolean;
  },
): D {
  const wanted = numberInFrontMatter(document);
  const { outcome, sop, path } = decided;
  const foreign = document.content?.frontMatter.sop;
  if (wanted === undefined && outcome === "create" && foreign !== undefined) {
    const isRefused =
      numbers !== null &&
      (isPush ? !isNumberOfScheme(numbers.scheme, foreign) : isNearlyNumberOfScheme(numbers.scheme, foreign));
    if (isRefused) {
      const example = exampleNumber(numbers.scheme, { category: null, year: numbers.year });
      const reason = refusals.foreignNumber({ number: foreign, example });
      return { ...decided, outcome: "refused", reason };
    }
    const meant = withLookalikesReplaced(foreign);
    if (numbers !== null && !isNumberOfScheme(numbers.scheme, foreign) && isNumberOfScheme(numbers.scheme, meant)) {
      const reason = refusals.lookalike({ number: foreign, meant });
      return { ...decided, outcome: "refused", reason };
    }
    const note = createImportNote("number-new", noteTexts.newNumber({ number: foreign }));
    return { ...decided, notes: [...decided.notes, note] };
  }
  if (numbers === null || wanted === undefined || outcome === "refused" || outcome === "duplicate") return decided;
  const refusedDecision = (reason: MessageWithId): D => ({ ...decided, outcome: "refused", reason });
  if (sop) {
    const same = numberKey(readNumber(wanted) ?? wanted) === sop.labelKey;
    if (same) return decided;
    return refusedDecision(refusals.hasFixedNumber({ wanted, number: sop.label }));
  }
  if (outcome !== "create") return decided;
  const category = plannedCategorySlug(
    numbers.categories,
    request,
    path,
    categoryNamedIn(document.content?.frontMatter),
  );
  const { number, reason } = spellNumberByScheme(numbers.scheme, { category, year: numbers.year }, wanted);
  if (number === undefined) return refusedDecision(refusals.number({ reason }));
  if (numbers.taken.has(numberKey(number)) && decided.reserved?.label !== number)
    return refusedDecision(refusals.numberTaken({ number }));
  const twin = earlier.find((one) => one.wanted === number);
  if (twin) return refusedDecision(refusals.numberTwice({ path: twin.path, number }));
  return { ...decided, wanted: number };
}

/** Returns the folders that name the category of a document, if the import sends them. */
export function foldersOfDocument(request: ImportRequest, path: string): readonly string[] | undefined {
  return request.documents.find((document) => document.path === path)?.folders;
}

/** Returns the slug of the category that a new SOP will have; null without a category. */
function plannedCategorySlug(
  categories: readonly CategoryDocument[],
  request: ImportRequest,
  path: string,
  named: string | undefined,
): string | null {
  const [outerName, innerName] = foldersOfDocument(request, path) ?? [];
  const own = named === undefined ? undefined : findCategory(categories, named);
  if (outerName !== undefined && !own) {
    const outer = findCategory(categories, outerName);
    const inside = categories.filter(({ parentId }) => parentId === outer?._id);
    const inner = innerName === undefined ? undefined : findCategory(inside, innerName);
    if (inner ?? outer) return (inner ?? outer)?.slug ?? null;
    if (request.createCategories) return uniqueCategorySlug(innerName ?? outerName, categories);
  }
  const { found, wanted } = chooseCategory(categories, request, outerName === undefined ? path : "", named);
  return found?.slug ?? (wanted === undefined ? null : uniqueCategorySlug(wanted, categories));
}
