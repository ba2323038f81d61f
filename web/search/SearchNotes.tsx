import { Link } from "react-router-dom";
import type { Output } from "../api.ts";
import { CorrectedQuery } from "./CorrectedQuery.tsx";
import { pageTexts } from "./page-texts.ts";

type SearchResultPage = Output<"sops", "list">;

/** Notes above the hits: corrected words, suggested words, and whether no SOP has all words. */
export function SearchNotes({ page }: { page: Pick<SearchResultPage, "showingFor" | "didYouMean" | "mostWords"> }) {
  const { showingFor, didYouMean, mostWords } = page;
  return (
    <>
      {(showingFor !== undefined || mostWords) && (
        <output className="mb-3 block text-muted">
          {showingFor !== undefined && <CorrectedQuery words={showingFor} />}
          {showingFor !== undefined && mostWords && ". "}
          {mostWords && pageTexts.mostWords}
        </output>
      )}
      {didYouMean !== undefined && (
        <p className="mb-3 text-muted">
          {pageTexts.didYouMean}{" "}
          <Link to={`/sops?${new URLSearchParams({ search: didYouMean })}`} className="text-primary underline">
            {didYouMean}
          </Link>
        </p>
      )}
    </>
  );
}
