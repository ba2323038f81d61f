import type { ConversionReport } from "#core/import/markdown/report.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";

/** The most frequent short words of languages that share the Latin or Cyrillic script. */
const frequent: Record<string, string> = {
  en: "the and of to is in for with that be this not are on it you as or from by at have will must if when",
  de: "der die und das ist nicht den von mit ein eine zu auf im dem des für wird werden sind bei oder auch sich nach muss als",
  fr: "le la les des et est une dans pour que qui sur pas du avec par au aux ce cette sont être ou il vous ne doit",
  es: "el la los las de que y en un una por con para no se del al es su como más debe son este esta si o",
  pt: "o a os as de que e do da em um uma para com não por se dos das no na ao ou são deve mais como pelo pela",
  it: "il lo la gli le di che e un una per con non del della dei in si è sono da nel alla al deve come ogni più o",
  nl: "de het een en van is niet dat op te zijn voor met die in er aan door worden bij of moet wordt naar om",
  sv: "och att det som en på är av för med den till inte om ett har de ska vid eller från kan",
  da: "og at det som en på er af for med den til ikke et har de skal ved eller fra kan der bliver",
  nb: "og å det som en på er av for med den til ikke et har de skal ved eller fra kan blir etter",
  fi: "ja on ei että se oli ovat kun tai sen joka myös mutta jos niin ole pitää voi sekä kaikki",
  pl: "i w na nie się z do jest że o po dla jak lub przez są od oraz to być należy za przed",
  cs: "a v na se je že s z do o pro jako nebo být jsou za po od ve musí ne při který před",
  hu: "a az és hogy nem is egy meg van kell ha vagy mint csak be ki el után minden",
  ro: "de și în la cu a nu pe un o din să este se pentru care sau mai sunt fi prin trebuie",
  tr: "ve bir bu için ile da de olarak olan veya en çok daha gibi sonra kadar ise değil her",
  id: "yang dan di dengan untuk dari pada ini tidak dalam atau ke adalah oleh akan harus setelah",
  ru: "и в не на что с по для из к при от или до как это его то после а за быть должен",
  uk: "і в не на що з по для із до при від або як це його та після за бути й у",
  bg: "и в не на че с по за от до при или как това се да са след който е",
};

const wordsOfLanguage = Object.entries(frequent).map(([lang, words]): [string, Set<string>] => [
  lang,
  new Set(words.split(" ")),
]);

/** Scripts that belong to one language, or mostly to one. */
const scripts: [lang: string, letter: RegExp][] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["th", /\p{Script=Thai}/gu],
  ["hi", /\p{Script=Devanagari}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["ka", /\p{Script=Georgian}/gu],
  ["hy", /\p{Script=Armenian}/gu],
  ["bn", /\p{Script=Bengali}/gu],
  ["ta", /\p{Script=Tamil}/gu],
];

/** Code, addresses and tags have Latin letters in any language, so they don't count. */
const notWords = /^(`{3,}|~{3,})[^]*?^\1|`[^`\n]*`|\]\([^)\s]*|https?:\/\/\S+|<[^>\n]*>/gm;
const sample = 40_000;
const fewestWords = 25;
/** This many different frequent words identify a language. */
const fewestFrequent = 5;

/**
 * Detects the language of a text as a BCP 47 tag, from its script or its most frequent words; undefined if neither is
 * clear. Only the beginning of a long text is read.
 */
export function detectLanguage(text: string): string | undefined {
  const words = text.slice(0, sample).replace(notWords, " ");
  const letters = words.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 8) return undefined;
  for (const [lang, letter] of scripts) {
    const own = words.match(letter)?.length ?? 0;
    // Japanese texts have more Chinese characters than kana
    if (own * (lang === "ja" ? 8 : 2) > letters) return lang === "ar" ? arabicScript(words) : lang;
  }
  const all = words.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  if (all.length < fewestWords) return undefined;
  const [best, second] = wordsOfLanguage
    .map(([lang, known]) => {
      const found = all.filter((word) => known.has(word));
      return { lang, hits: found.length, different: new Set(found).size };
    })
    .sort((one, other) => other.hits - one.hits);
  if (best === undefined || best.hits * 12 < all.length || best.different < fewestFrequent) return undefined;
  const isClear = second === undefined || best.hits >= second.hits + 2;
  return isClear ? best.lang : undefined;
}

/** Tells Urdu and Persian from Arabic by letters that Arabic lacks. */
function arabicScript(words: string): string {
  if (/[ٹڈڑےں]/u.test(words)) return "ur";
  return (words.match(/[پچژگی]/gu)?.length ?? 0) * 40 > words.length ? "fa" : "ar";
}

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** The English name of a language with its tag: `German (de)`. */
function languageName(tag: string): string {
  try {
    return `${names.of(tag) ?? tag} (${tag})`;
  } catch {
    return tag;
  }
}

/**
 * Sets the detected language of an imported text without one, and reports it. English needs no entry, because it is the
 * default.
 */
export function setLanguage(front: FrontMatter, lang: string | undefined, report: ConversionReport): void {
  if (front.lang !== undefined || lang === undefined || lang === "en") return;
  front.lang = lang;
  report.add("language", `the language is ${languageName(lang)}, by the words of the text`);
}
