/** A file of another kind as a Markdown file, with its embedded files. */
export interface ConvertedText {
  /** Front matter and body. */
  text: string;
  /** Pictures it held, by the relative address its text shows them at. */
  images: ReadonlyMap<string, Uint8Array>;
}
