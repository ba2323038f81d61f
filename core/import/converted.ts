/** A file of another format as Markdown, with its embedded files. */
export interface ConvertedText {
  /** The front matter and the body. */
  text: string;
  /** Embedded images, by their relative address in the text. */
  images: ReadonlyMap<string, Uint8Array>;
}
