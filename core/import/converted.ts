/** A file of another format, converted to Markdown, with its embedded images. */
export interface ConvertedText {
  /** The front matter and the body. */
  text: string;
  /** Embedded images, by their relative address in the text. */
  images: ReadonlyMap<string, Uint8Array>;
}
