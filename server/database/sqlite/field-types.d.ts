export declare const NULL = 1;
export declare const NUMBER = 2;
export declare const STRING = 4;
export declare const OBJECT = 8;
export declare const ARRAY = 16;
export declare const BOOLEAN = 32;
export type GrownTypes = Map<
  string,
  {
    before: number;
    after: number;
  }
>;
export declare class FieldTypes {
  #private;
  readonly nested: readonly string[];
  /** @param nested dotted paths to watch; top-level fields always are */
  constructor(nested: readonly string[]);
  of(path: string): number;
  /** Takes note of a document about to be written. @returns what was not known before, undefined when nothing */
  note(document: Record<string, unknown>): GrownTypes | undefined;
  takeBack(grown: GrownTypes): void;
  load(known: ReadonlyMap<string, number>): void;
}
