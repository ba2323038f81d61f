/** Loads the language of the screens. English is in the code; any other language is a JSON file. */
import { ApiError } from "#core/api/client.ts";
import { translatedSentenceText } from "#core/language/catalog.ts";
import { setSpokenLanguage, type Language } from "#core/language/spoken.ts";

type LoadTexts = () => Promise<Language["texts"]>;

/** The functions that load each language's files: the texts of the screens, of `core`, and of the server's refusals. */
const languageFiles = Object.entries(
  import.meta.glob<Language["texts"]>(
    ["./languages/*.json", "../core/languages/*.json", "../server/languages/*.json"],
    { import: "default" },
  ),
);
const languageCodeOf = (file: string) => file.replace(/^.*\/|\.json$/g, "");
const loadersByCode = new Map<string, LoadTexts>(
  languageFiles.map(([file]) => [
    languageCodeOf(file),
    async () => {
      const parts = languageFiles
        .filter(([other]) => languageCodeOf(other) === languageCodeOf(file))
        .map(([, load]) => load());
      return Object.assign({}, ...(await Promise.all(parts))) as Language["texts"];
    },
  ]),
);

/**
 * Loads the first of the reader's languages that exists. English, the default, needs no file. Screens load afterwards,
 * so their modules can read texts at once.
 * @param wanted language codes (BCP 47), the most wanted first
 */
export async function loadLanguage(wanted: readonly string[], known: ReadonlyMap<string, LoadTexts> = loadersByCode) {
  const [code] = wanted.flatMap((one) => {
    const base = new Intl.Locale(one).language;
    return [one, base].filter((name) => name === "en" || known.has(name));
  });
  const load = code === undefined ? undefined : known.get(code);
  if (code === undefined || load === undefined) return;
  try {
    setSpokenLanguage({ code, texts: await load() });
    ApiError.sentenceOf = translatedSentenceText;
    document.documentElement.lang = code;
  } catch {
    // If the file can't be loaded, the screens are in English.
  }
}
