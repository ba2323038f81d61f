/** The words that we, not the model, write into a draft: headings, table headers, labels. */
export interface DraftWords {
  purpose: string;
  scope: string;
  responsibilities: string;
  role: string;
  responsibility: string;
  safety: string;
  equipment: string;
  procedure: string;
  records: string;
  record: string;
  place: string;
  keptFor: string;
  references: string;
  check: string;
  /** Tasks under it are the author's to tick off. */
  assumptions: string;
  /** The assumption for an unknown reference. */
  exists: (label: string) => string;
}

const english: DraftWords = {
  purpose: "Purpose",
  scope: "Scope",
  responsibilities: "Responsibilities",
  role: "Role",
  responsibility: "Responsibility",
  safety: "Safety",
  equipment: "Equipment",
  procedure: "Procedure",
  records: "Records",
  record: "Record",
  place: "Place",
  keptFor: "Kept for",
  references: "References",
  check: "Check:",
  assumptions: "Assumptions to confirm",
  exists: (label) => `The reference "${label}" exists.`,
};

const words: Readonly<Record<string, DraftWords>> = {
  en: english,
  de: {
    purpose: "Zweck",
    scope: "Geltungsbereich",
    responsibilities: "Verantwortlichkeiten",
    role: "Rolle",
    responsibility: "Aufgabe",
    safety: "Sicherheit",
    equipment: "Arbeitsmittel",
    procedure: "Durchführung",
    records: "Aufzeichnungen",
    record: "Aufzeichnung",
    place: "Ort",
    keptFor: "Aufbewahrung",
    references: "Mitgeltende Dokumente",
    check: "Prüfen:",
    assumptions: "Zu bestätigende Annahmen",
    exists: (label) => `Das Dokument „${label}“ gibt es.`,
  },
  fr: {
    purpose: "Objet",
    scope: "Domaine d’application",
    responsibilities: "Responsabilités",
    role: "Rôle",
    responsibility: "Responsabilité",
    safety: "Sécurité",
    equipment: "Matériel",
    procedure: "Procédure",
    records: "Enregistrements",
    record: "Enregistrement",
    place: "Lieu",
    keptFor: "Conservation",
    references: "Références",
    check: "Vérifier :",
    assumptions: "Hypothèses à confirmer",
    exists: (label) => `Le document « ${label} » existe.`,
  },
  es: {
    purpose: "Objetivo",
    scope: "Alcance",
    responsibilities: "Responsabilidades",
    role: "Función",
    responsibility: "Responsabilidad",
    safety: "Seguridad",
    equipment: "Equipos",
    procedure: "Procedimiento",
    records: "Registros",
    record: "Registro",
    place: "Lugar",
    keptFor: "Conservación",
    references: "Referencias",
    check: "Comprobar:",
    assumptions: "Supuestos por confirmar",
    exists: (label) => `El documento «${label}» existe.`,
  },
  it: {
    purpose: "Scopo",
    scope: "Campo di applicazione",
    responsibilities: "Responsabilità",
    role: "Ruolo",
    responsibility: "Compito",
    safety: "Sicurezza",
    equipment: "Attrezzature",
    procedure: "Procedura",
    records: "Registrazioni",
    record: "Registrazione",
    place: "Luogo",
    keptFor: "Conservazione",
    references: "Riferimenti",
    check: "Verificare:",
    assumptions: "Ipotesi da confermare",
    exists: (label) => `Il documento «${label}» esiste.`,
  },
  nl: {
    purpose: "Doel",
    scope: "Toepassingsgebied",
    responsibilities: "Verantwoordelijkheden",
    role: "Rol",
    responsibility: "Taak",
    safety: "Veiligheid",
    equipment: "Benodigdheden",
    procedure: "Werkwijze",
    records: "Registraties",
    record: "Registratie",
    place: "Plaats",
    keptFor: "Bewaartermijn",
    references: "Verwijzingen",
    check: "Controleer:",
    assumptions: "Te bevestigen aannames",
    exists: (label) => `Het document "${label}" bestaat.`,
  },
  pt: {
    purpose: "Objetivo",
    scope: "Âmbito",
    responsibilities: "Responsabilidades",
    role: "Função",
    responsibility: "Responsabilidade",
    safety: "Segurança",
    equipment: "Equipamentos",
    procedure: "Procedimento",
    records: "Registos",
    record: "Registo",
    place: "Local",
    keptFor: "Conservação",
    references: "Referências",
    check: "Verificar:",
    assumptions: "Pressupostos a confirmar",
    exists: (label) => `O documento "${label}" existe.`,
  },
};

/** @param language BCP 47; English where there are no words of ours in it */
export function draftWords(language: string): DraftWords {
  return words[language.split("-")[0]?.toLowerCase() ?? ""] ?? english;
}

const assumptionTitles: ReadonlySet<string> = new Set(Object.values(words).map(({ assumptions }) => assumptions));

/** In any language, because a text's language can change after it was written. */
export function isAssumptionsTitle(title: string): boolean {
  return assumptionTitles.has(title.trim());
}
