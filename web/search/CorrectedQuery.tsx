import { texts } from "./texts.ts";

/** Says that a misspelled query was corrected to `words`. */
export function CorrectedQuery({ words }: { words: string }) {
  return (
    <>
      {texts.showingFor} <strong className="font-semibold text-text">“{words}”</strong>
    </>
  );
}
