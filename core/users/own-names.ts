/** Reserved names, which no user can have: names that the product shows as an author, and names of roles. */
import { roleLabel, roles } from "../permissions/roles.ts";
import { looksOfName, readingsWithDigitsAsLetters } from "./looks.ts";

/**
 * Names that the product shows in place of a person: on commits, in the audit log, in notifications and on versions.
 */
const productNames = "Sopwright, SOP Server, SOP Bot, Server, System, AI Assistant, Deleted User, Unknown".split(", ");
const administrators =
  "Administrator, Administrators, Admin, Admins, System Administrator, Company Administrator, Sysadmin, Support, IT Support";
/** Reserved names in other frequent languages. A surname such as Prüfer is allowed together with a first name. */
const abroad = [
  "Systemadministrator Systemadministratorin Administratorin Systemverwalter Serverdienst KI-Assistent Unbekannt",
  "Prüfer Prüferin Genehmiger Genehmigerin Freigeber Freigeberin Redakteur Redakteurin Betrachter Leser Leserin",
  "système serveur inconnu administrateur administratrice réviseur réviseuse approbateur approbatrice vérificateur",
  "vérificatrice rédacteur rédactrice éditeur éditrice gestionnaire contributeur contributrice lecteur lectrice",
  "sistema servidor desconocido administrador administradora revisor revisora editora gestor",
  "gestora colaborador colaboradora lector lectora desconhecido leitor leitora",
  "sconosciuto amministratore amministratrice revisore revisora approvatore approvatrice redattore redattrice gestore",
  "collaboratore collaboratrice lettore lettrice systeem onbekend beheerder systeembeheerder beoordelaar goedkeurder",
  "redacteur bijdrager lezer approver",
  "Администратор Система Сервер Редактор 管理者 管理员 系统管理员 系统 サーバー システム 관리자 시스템",
  "Ylläpitäjä Administratör Redaktör Granskare Godkender Administrátor Systém",
].join(" ");
/** Words that leave a name reserved if they are added: articles, titles, and words for the work, as in "QA Manager". */
const addedWords =
  "The Company Team User Users Service Account Dr Mr Ms Nr Deleted Support Root Super Chief Head Lead Senior Final Quality " +
  "QA QC QM QS HR EHS Shift Line Plant Production Operations Safety Compliance Document Process Project Department Office " +
  "Area Regional General Technical Duty Day Night Junior Deputy Acting Site IT Agent Message Notification Bot der die das den le la les el los las il lo gli de het een";
/** Usernames that people and mail servers take for accounts of the operator. */
const operators =
  "root sysadmin superadmin superuser daemon mailer mailer-daemon abuse support itsupport security helpdesk postmaster webmaster hostmaster noreply no-reply";

const looksOfWords = (words: readonly string[]) => new Set(words.flatMap(looksOfName));
const wordsIn = (names: readonly string[]) => names.flatMap((name) => name.split(/[ -]/));

interface Reserved {
  whole: ReadonlySet<string>;
  words: ReadonlySet<string>;
  /** The looks of words that leave a name reserved if they are added. */
  beside: ReadonlySet<string>;
}

function reservedOf(names: readonly string[]): Reserved {
  const around = addedWords.split(" ");
  const words = wordsIn(names).filter((word) => !around.includes(word));
  return { whole: looksOfWords(names), words: looksOfWords(words), beside: looksOfWords(around) };
}

const names = [...productNames, ...administrators.split(", "), ...roles.map(roleLabel), ...abroad.split(" ")];
const forPeople = reservedOf(names);
const forUsernames = reservedOf([...names, ...operators.split(" ")]);
const ofProduct = reservedOf(productNames);

function isReserved(name: string, { whole, words, beside }: Reserved): boolean {
  const has = (some: ReadonlySet<string>, word: string) =>
    word !== "" && looksOfName(word).some((look) => some.has(look));
  return readingsWithDigitsAsLetters(name.replace(/(?<!\p{L})[ld]['’]/giu, " ")).some((reading) => {
    if (has(whole, reading)) return true;
    const own = (reading.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => !/^(?:\p{N}{1,2}|[ivx]+)$/iu.test(word));
    const isOf = (some: ReadonlySet<string>, word: string) =>
      has(some, word) || has(some, word.replaceAll(/^\p{N}+|\p{N}+$/gu, ""));
    return own.some((word) => isOf(words, word)) && own.every((word) => isOf(words, word) || isOf(beside, word));
  });
}

/** Tells whether a name consists of reserved names of the product or of roles, also with a number. */
export function isNameOfProductOrRole(name: string): boolean {
  return isReserved(name, forPeople);
}

/**
 * Tells whether a username is a reserved name, or looks like an account of the operator, such as `root` or `support`.
 */
export function isUsernameOfOperator(username: string): boolean {
  return isReserved(username, forUsernames);
}

/**
 * Tells whether a name or username looks like the product itself. Unlike others, the first administrator can be
 * `admin`.
 */
export function isNameOfProduct(name: string): boolean {
  return isReserved(name, ofProduct);
}
