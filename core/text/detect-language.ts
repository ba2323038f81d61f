/** The most frequent short words of languages that share the Latin or Cyrillic script. */
const frequent: Record<string, string> = {
  en: "the and of to is in for with that be this not are on it you as or from by at have will must if when then before after all each your into only do can no they any has but its was which there out up so use",
  de: "der die und das ist nicht den von mit ein eine zu auf im dem des für wird werden sind bei oder auch sich nach muss als einen einer einem am vom zum zur aus wenn bis vor dann alle jede jeden jeder sie nur noch über unter durch ohne an um kein keine keinen wie kann dass darf immer ihre",
  fr: "le la les des et est une dans pour que qui sur pas du avec par au aux ce cette sont être ou il vous ne doit un votre vos avant après chaque tout tous toutes puis sans lors en à l' d' n' s' qu peut si de",
  es: "el la los las de que y en un una por con para no se del al es su como más debe son este esta si o antes cada todo todos todas sin sobre hasta cuando según ser hay ya muy entre después sus solo también a",
  pt: "o a os as de que e do da em um uma para com não por se dos das no na ao ou são deve mais como pelo pela antes cada todo todos todas sem sobre até quando ser está já muito entre depois pelos pelas às aos sua seu também nas só",
  it: "il lo la gli le di che e un una per con non del della dei in si è sono da nel alla al deve come ogni più o prima tutti tutte dopo senza su quando questo questa nella nelle degli delle dello dal dalla dell all essere può solo anche ai l' d'",
  nl: "de het een en van is niet dat op te zijn voor met die in er aan door worden bij of moet wordt naar om je uw dan als voordat na elke alle geen deze dit kan heeft tot uit moeten zonder tussen u",
  sv: "och att det som en på är av för med den till inte om ett har de ska vid eller från kan du din alla innan efter utan när så vara varje ut upp mot mellan före",
  da: "og at det som en på er af for med den til ikke et har de skal ved eller fra kan der bliver du din alle før efter uden når så være hver ud op mod mellem ind denne dette",
  nb: "og å det som en på er av for med den til ikke et har de skal ved eller fra kan blir etter du din alle før uten når så være hver ut opp mot mellom inn denne dette",
  fi: "ja on ei että se oli ovat kun tai sen joka myös mutta jos niin ole pitää voi sekä kaikki ennen jälkeen ilman sitten tämä mukaan kanssa vain kuin",
  pl: "i w na nie się z do jest że o po dla jak lub przez są od oraz to być należy za przed każdy każdą każdej wszystkie bez aby gdy tylko może ten pod nad jeśli",
  cs: "a v na se je že s z do o pro jako nebo být jsou za po od ve musí ne při který před každý každou všechny bez aby když jen může ten si podle pokud",
  hu: "a az és hogy nem is egy meg van kell ha vagy mint csak be ki el után minden előtt nélkül lehet fel majd azt ezt",
  ro: "de și în la cu a nu pe un o din să este se pentru care sau mai sunt fi prin trebuie înainte după fiecare toate fără când doar poate acest această",
  tr: "ve bir bu için ile da de olarak olan veya en çok daha gibi sonra kadar ise değil her önce tüm",
  id: "yang dan di dengan untuk dari pada ini tidak dalam atau ke adalah oleh akan harus setelah sebelum setiap semua tanpa jika hanya dapat",
  ru: "и в не на что с по для из к при от или до как это его то после а за быть должен перед каждый каждой все без чтобы если только может вы но их под над",
  uk: "і в не на що з по для із до при від або як це його та після за бути й у перед кожен кожної всі без щоб якщо тільки може ви але їх під над",
  bg: "и в не на че с по за от до при или как това се да са след който е преди всеки всички без ако само може но със",
  sk: "a v na sa je že s z do o pre ako alebo byť sú za po od vo musí nie pri ktorý pred každý každú všetky bez aby keď len môže ten si podľa aj so",
  ca: "el la els les de que i en un una per amb no es del és al com més o si abans cada tot tots sense sobre fins quan ser ha molt entre després també pels als dels a d' l' s' n'",
  af: "die en van is nie dat op te vir met in aan deur of moet om jy dan as wat na elke alle geen hierdie kan het tot uit sonder tussen word",
  sr: "и у не на да се за од до при или као је са су који после може пре сваки ако али без",
};

const wordsOfLanguage = Object.entries(frequent).map(([lang, words]): [string, Set<string>] => [
  lang,
  new Set(words.split(" ")),
]);

/**
 * The letters of each language besides a to z, or besides the Cyrillic letters that all three Cyrillic languages share.
 */
const letters: Record<string, string> = {
  en: "",
  de: "äöüß",
  fr: "àâæçéèêëîïôœùûü",
  es: "áéíñóúü",
  pt: "áâãàçéêíóôõú",
  it: "àèéìòù",
  nl: "ëïé",
  sv: "åäöé",
  da: "æøåé",
  nb: "æøåé",
  fi: "äöå",
  pl: "ąćęłńóśźż",
  cs: "áčďéěíňóřšťúůýž",
  hu: "áéíóöőúüű",
  ro: "ăâîșțşţ",
  tr: "çğıöşü",
  id: "",
  ru: "ыэёъ",
  uk: "іїєґ",
  bg: "ъ",
  sk: "áäčďéíĺľňóôŕšťúýž",
  ca: "àçéèíïóòúü",
  af: "êëéïôû",
  sr: "јљњћђџ",
};

/** Scripts that belong to one language, or mostly to one. */
const scripts: [lang: string, letter: RegExp][] = [
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
const fewestLetters = 8;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Letters that only Vietnamese has. */
const vietnamese = /[ơờớởỡợưừứửữựảẻỉỏủỷầấẩẫậằắẳẵặềếểễệồốổỗộ]/u;
const fewestWords = 25;
/** The minimum number of different frequent words that identify the language of a longer text. */
const fewestFrequent = 5;
/** A text in a language has at least one of its frequent words among this number of words. */
const wordsPerFrequent = 12;

/**
 * Detects the language of a text as a BCP 47 tag, from its script, its most frequent words or its letters; undefined if
 * they aren't clear. Only the beginning of a long text is read.
 */
export function detectLanguage(text: string): string | undefined {
  const words = text.slice(0, sample).replace(notWords, " ");
  const countLetters = (letter: RegExp) => words.match(letter)?.length ?? 0;
  const count = countLetters(/\p{L}/gu);
  const syllabic = languageOfSyllables(countLetters, count);
  if (syllabic !== undefined || count < fewestLetters) return syllabic;
  for (const [lang, letter] of scripts) {
    if (countLetters(letter) * 2 > count) return lang === "ar" ? languageInArabicScript(words) : lang;
  }
  const all =
    words
      .toLowerCase()
      .normalize("NFC")
      .match(/(?<!\p{L})[ldns]['’](?=\p{L})|[\p{L}\p{M}]+/gu) ?? [];
  const read = all.map((word) => word.replace("’", "'"));
  const own = read.filter((word) => vietnamese.test(word)).length;
  if (own >= 2 && own * 3 > read.length) return "vi";
  return read.length < fewestWords ? languageOfFewWords(read) : languageOfManyWords(read);
}

/** Recognizes Japanese and Korean by the share of their characters. Chinese characters alone are neither. */
function languageOfSyllables(countLetters: (letter: RegExp) => number, count: number): string | undefined {
  const isMost = (own: number) => own * 3 > count;
  const [inKana, inHangul] = [countLetters(kana), countLetters(/\p{Script=Hangul}/gu)];
  // Japanese texts have more Chinese characters than kana, and Chinese ones borrow a single kana
  const japanese = inKana + countLetters(/\p{Script=Han}/gu);
  if (inKana >= 2 && inKana * 8 > japanese && isMost(japanese)) return "ja";
  return inHangul >= 2 && isMost(inHangul) ? "ko" : undefined;
}

function languageOfManyWords(all: readonly string[]): string | undefined {
  const [best, second] = wordsOfLanguage
    .map(([lang, known]) => {
      const found = all.filter((word) => known.has(word));
      return { lang, hits: found.length, different: new Set(found).size };
    })
    .sort((one, other) => other.hits - one.hits);
  if (best === undefined || best.hits * wordsPerFrequent < all.length || best.different < fewestFrequent)
    return undefined;
  const isClear = second === undefined || best.hits >= second.hits + 2;
  return isClear ? best.lang : undefined;
}

/**
 * Returns the language that a document states, or else the detected language of its title and text; null if unclear.
 */
export function languageOfDocument(document: { lang: string | null; title: string; markdown: string }): string | null {
  return document.lang ?? detectLanguage(`${document.title}\n${document.markdown}`) ?? null;
}

/**
 * Frequent words and special letters, each with the languages that have it. They identify the language of short texts.
 */
const languagesOf = new Map<string, string[]>();
for (const [lang, words] of wordsOfLanguage)
  for (const clue of [...words, ...(letters[lang] ?? "")])
    languagesOf.set(clue, [...new Set(languagesOf.get(clue)).add(lang)]);

/** The languages in which a word is frequent, or to which a letter beside a to z belongs. */
export const languagesOfClue = (clue: string): readonly string[] => languagesOf.get(clue) ?? [];

const plainLetters = /[a-zа-ьюя']/gu;
const cyrillic = new Set(["ru", "uk", "bg", "sr"]);
/** A letter that a language lacks divides its score by this. Foreign names and units have such letters. */
const perForeignLetter = 2.5;
const leastScore = 1.5;
const fewestClues = 2;

/** Detects the language of a text with few words, by clues. A clue that fewer languages have counts more. */
function languageOfFewWords(all: readonly string[]): string | undefined {
  const words = new Set(all);
  const special = new Set(all.join("").replace(plainLetters, ""));
  const isCyrillic = /\p{Script=Cyrillic}/u.test(all.join(""));
  const scoreOf = (lang: string): { lang: string; score: number; clues: number } => {
    const score = (clues: Iterable<string>): number[] =>
      [...clues].flatMap((clue) => {
        const langs = languagesOfClue(clue);
        return langs.includes(lang) ? [1 / langs.length] : [];
      });
    const [found, own] = [score(words), score(special)];
    const sum = [...found, ...own].reduce((total, one) => total + one, 0);
    return {
      lang,
      score: cyrillic.has(lang) === isCyrillic ? sum / perForeignLetter ** (special.size - own.length) : 0,
      clues: found.length + Math.min(own.length, 1),
    };
  };
  const [best, second] = Object.keys(frequent)
    .map(scoreOf)
    .toSorted((one, other) => other.score - one.score);
  if (!best || !second || best.clues < fewestClues || best.clues * wordsPerFrequent < all.length) return undefined;
  return best.score >= Math.max(leastScore, 2 * second.score) ? best.lang : undefined;
}

/** Distinguishes Urdu and Persian from Arabic by letters that Arabic lacks. */
function languageInArabicScript(words: string): string {
  if (/[ٹڈڑےں]/u.test(words)) return "ur";
  return (words.match(/[پچژگی]/gu)?.length ?? 0) * 40 > words.length ? "fa" : "ar";
}
