import { texts } from "./texts.ts";

/** The question had a slip in it: this one was answered. */
export function CorrectedQuery({ words }: { words: string }) {
  return (
    <>
      {texts.showingFor} <strong className="font-semibold text-text">“{words}”</strong>
    </>
  );
}
