/** The trades of companies, and the library templates for each. Screens load this file, so it has no zod. */
export const trades = ["food", "hospitality", "making", "care", "laboratory", "it", "office", "other"] as const;
export type Trade = (typeof trades)[number];

/** Labels of the trades. The label is stored as the company's industry, so that the user enters it only once. */
export const tradeLabels: Record<Trade, string> = {
  food: "Food and drink",
  hospitality: "Cafés, hotels and shops",
  making: "Making and building",
  care: "Care and health",
  laboratory: "Laboratory",
  it: "IT and software",
  office: "Office and finance",
  other: "Something else",
};

/** Six ids of `templates/sops`, the most useful first: three for the trade, then three for any company. */
export const templatesByTrade: Record<Trade, readonly string[]> = {
  food: [
    "kitchen-opening-checks",
    "nonconformance-and-corrective-action",
    "workplace-incident-reporting",
    "lockout-tagout",
    "customer-complaint-handling",
    "employee-onboarding",
  ],
  hospitality: [
    "kitchen-opening-checks",
    "customer-complaint-handling",
    "workplace-incident-reporting",
    "evacuation-drill",
    "employee-onboarding",
    "invoice-approval",
  ],
  making: [
    "lockout-tagout",
    "workplace-incident-reporting",
    "nonconformance-and-corrective-action",
    "evacuation-drill",
    "employee-onboarding",
    "document-control",
  ],
  care: [
    "workplace-incident-reporting",
    "evacuation-drill",
    "customer-complaint-handling",
    "employee-onboarding",
    "document-control",
    "access-request-and-review",
  ],
  laboratory: [
    "pipette-calibration-check",
    "nonconformance-and-corrective-action",
    "document-control",
    "workplace-incident-reporting",
    "backup-and-restore-test",
    "employee-onboarding",
  ],
  it: [
    "it-incident-response",
    "access-request-and-review",
    "backup-and-restore-test",
    "password-reset",
    "employee-onboarding",
    "employee-offboarding",
  ],
  office: [
    "invoice-approval",
    "month-end-closing",
    "employee-onboarding",
    "employee-offboarding",
    "customer-complaint-handling",
    "access-request-and-review",
  ],
  other: [
    "employee-onboarding",
    "workplace-incident-reporting",
    "customer-complaint-handling",
    "invoice-approval",
    "document-control",
    "password-reset",
  ],
};

/** @param industry the stored text; a text other than a trade's label means `other` */
export function tradeOfIndustry(industry: string | null): Trade {
  return trades.find((trade) => tradeLabels[trade] === industry) ?? "other";
}
