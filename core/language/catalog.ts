/**
 * Texts for people, by language. A catalog has a name and English messages in the ICU format. A language is one file
 * with the messages of each catalog, by the catalog's name. Missing messages are shown in English.
 */
import { compileMessage } from "#compile-message";
import type { GetICUArgs } from "@schummar/icu-type-parser";
import format, { type CompiledMessage } from "icu-minify/format";
import { dayFormatter, formatter } from "./formats.ts";
import { languageCode, spokenTexts, type MessageTree } from "./spoken.ts";

type MessageValues<M extends string> = GetICUArgs<
  M,
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: number | Date }
>;

/** The texts of a catalog. A message with parameters becomes a function: `"Actions for {name}"` → `menu({ name })`. */
export type CatalogTexts<M> = {
  readonly [K in keyof M]: M[K] extends string
    ? M[K] extends `${string}{${string}`
      ? (values: MessageValues<M[K]>) => string
      : string
    : CatalogTexts<M[K]>;
};

/**
 * Makes a catalog of texts. Each read of a text returns it in the language that is set at that time.
 * @param name unique in its layer, such as 'teams' or 'sops.view'
 */
export function catalog<const M extends MessageTree>(name: string, english: M): CatalogTexts<M> {
  return translatedView(english, () => spokenTexts()[name]) as CatalogTexts<M>;
}

/** A message of a catalog. Compiled messages are arrays; plain objects are groups of messages. */
type MessageLeaf = string | CompiledMessage;
type MessageGroup = Readonly<Record<string, unknown>>;
const isLeaf = (value: unknown): value is MessageLeaf => typeof value === "string" || Array.isArray(value);
const hasParameters = (leaf: MessageLeaf) => typeof leaf !== "string" || leaf.includes("{");

function translatedView(english: MessageGroup, translated: () => unknown): object {
  const made = new Map<string, unknown>();
  const findTranslation = (key: string): unknown => (translated() as MessageGroup | undefined)?.[key];
  const viewOf = (key: string, own: unknown): unknown => {
    if (!isLeaf(own)) return translatedView(own as MessageGroup, () => findTranslation(key));
    return (values: Parameters<typeof format>[2]) => {
      const other = findTranslation(key);
      return isLeaf(other) ? formatCatalogText(other, languageCode(), values) : formatCatalogText(own, "en", values);
    };
  };
  return new Proxy(english, {
    get(target, key) {
      const own = Object.hasOwn(target, key) ? target[key as string] : undefined;
      if (own === undefined || typeof key === "symbol") return own;
      if (isLeaf(own) && !hasParameters(own)) {
        const other = findTranslation(key);
        return typeof other === "string" ? other : own;
      }
      if (!made.has(key)) made.set(key, viewOf(key, own));
      return made.get(key);
    },
  });
}

const compiled = new Map<string, CompiledMessage>();

function formatCatalogText(leaf: MessageLeaf, code: string, values: Parameters<typeof format>[2]): string {
  if (!hasParameters(leaf)) return leaf as string;
  let message: CompiledMessage | undefined = leaf;
  if (typeof leaf === "string") {
    message = compiled.get(leaf) ?? compileMessage(leaf);
    compiled.set(leaf, message);
  }
  return String(format(message, code, values, { formatters: formatter }));
}

/** A calendar day as a value, `YYYY-MM-DD`. Each reader sees it in the form of the language: 'Jan 5, 2026'. */
export interface DayValue {
  day: string;
}

/** A sentence with its id, such as 'core.approvals.closed', so that a client can write it in the reader's language. */
export interface MessageWithId {
  id: string;
  values: Readonly<Record<string, string | number | MessageWithId | DayValue>>;
  /** The sentence in English. */
  text: string;
}

/** Tells whether a value in a sentence is itself a sentence, and not a text, a number or a day. */
export const isSentence = (value: MessageWithId["values"][string] | undefined): value is MessageWithId =>
  typeof value === "object" && "id" in value;

/** Returns the fields of an API answer for a sentence: `message` is its English text, `reason` its id and values. */
export const messageAndReasonOf = ({ id, values, text }: MessageWithId) => ({ message: text, reason: { id, values } });

/**
 * Reads the sentence from the fields of `messageAndReasonOf`. Messages of zod have no `reason` and stay untranslated.
 */
export const sentenceOfMessage = ({
  message,
  reason,
}: {
  message: string;
  reason?: Pick<MessageWithId, "id" | "values"> | undefined;
}): Sentence => (reason === undefined ? untranslated(message) : { ...reason, text: message });

/** A text without an id, for example from another program. Each reader sees it as it is. */
export interface UntranslatedText {
  text: string;
  id?: never;
}

export type Sentence = MessageWithId | UntranslatedText;

/** Wraps a text without a translation, such as the message of another program or a line for an operator's terminal. */
export const untranslated = (text: string): UntranslatedText => ({ text });

/** The values of a sentence. A value can itself be a sentence, or a day. */
type SentenceValues<M extends string> = GetICUArgs<
  M,
  { ICUArgument: string | number | Sentence | DayValue; ICUNumberArgument: number; ICUDateArgument: number }
>;

type Sentences<M> = {
  readonly [K in keyof M]: M[K] extends `${string}{${string}`
    ? (values: SentenceValues<M[K]>) => MessageWithId
    : () => MessageWithId;
};

/**
 * Creates the functions that make sentences, such as refusals, which a server sends to readers of any language.
 * @param name unique among catalogs and sentences
 */
export function sentences<const M extends Readonly<Record<string, string>>>(name: string, english: M): Sentences<M> {
  const made = Object.entries(english as Readonly<Record<string, MessageLeaf>>).map(([key, leaf]) => {
    const makeSentence = (
      given: Readonly<Record<string, string | number | Sentence | DayValue>> = {},
    ): MessageWithId => {
      const values = mapValues(given, (value) =>
        typeof value === "object" && "text" in value && value.id === undefined ? value.text : value,
      ) as MessageWithId["values"];
      const texts = mapValues(values, (value) => valueText(value, "en", ({ text }) => text));
      return { id: `${name}.${key}`, values, text: formatCatalogText(leaf, "en", texts) };
    };
    return [key, makeSentence] as const;
  });
  return Object.fromEntries(made) as unknown as Sentences<M>;
}

const valueText = (
  value: MessageWithId["values"][string],
  code: string,
  textOf: (sentence: MessageWithId) => string,
): string | number => {
  if (typeof value !== "object") return value;
  return "day" in value ? dayFormatter(code, "whole").format(Date.parse(value.day)) : textOf(value);
};

const mapValues = <V, W>(values: Readonly<Record<string, V>>, map: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));

/** The sentence in the current language. A text without an id stays as it is. */
export const spokenText = (sentence: Sentence): string =>
  (sentence.id === undefined ? null : translatedSentenceText(sentence)) ?? sentence.text;

/**
 * Returns the sentence in the current language; null if the language has no translation of it. English has none, because
 * `text` is English already.
 */
export function translatedSentenceText({ id, values }: Pick<MessageWithId, "id" | "values">): string | null {
  const at = id.lastIndexOf(".");
  const texts = spokenTexts()[id.slice(0, at)] as MessageGroup | undefined;
  const leaf = texts && Object.hasOwn(texts, id.slice(at + 1)) ? texts[id.slice(at + 1)] : undefined;
  if (!isLeaf(leaf)) return null;
  const texted = mapValues(values, (value) => valueText(value, languageCode(), spokenText));
  return formatCatalogText(leaf, languageCode(), texted);
}

const lists = sentences("core.language", { both: "{first}, {second}" });

/** Joins the parts of a list by commas. Sentences are joined in halves, so that a long list nests only a few levels. */
export function joinedByCommas(list: readonly (string | MessageWithId)[]): string | MessageWithId {
  const [only = ""] = list;
  if (list.length < 2) return only;
  if (list.every((part) => typeof part === "string")) return list.join(", ");
  const half = list.length >> 1;
  return lists.both({ first: joinedByCommas(list.slice(0, half)), second: joinedByCommas(list.slice(half)) });
}
