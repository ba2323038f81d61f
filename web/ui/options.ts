export interface Option<K extends string> {
  value: K;
  label: string;
}

/** The options of a select, in the order of their texts. */
export function optionsOf<K extends string>(texts: Readonly<Record<K, string>>): Option<K>[] {
  return (Object.keys(texts) as K[]).map((value) => ({ value, label: texts[value] }));
}
