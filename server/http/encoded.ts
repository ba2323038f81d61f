/** An answer that is JSON already: rows that were presented and written once are not presented and written again. */
export class EncodedJson {
  readonly bytes: Buffer;
  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }
}
