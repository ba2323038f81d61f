/** An answer that is JSON already: rows that were presented and written once are not presented and written again. */
export class EncodedJson {
  readonly bytes: Buffer;
  constructor(parts: readonly Uint8Array[]) {
    this.bytes = Buffer.concat(parts);
  }
}
