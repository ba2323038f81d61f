import { catalog } from "#core/language/catalog.ts";
import type { CompanySettings } from "#core/companies/settings.ts";

export const texts = catalog("companies.own", {
  failed: "Couldn't load the company.",
  name: "Company name",
  logo: "Logo",
  logoAlt: "Logo of the company",
  logoHint: "PNG, JPEG, GIF or WebP, up to 5 MB.",
  logoUpload: "Upload logo",
  logoReplace: "Replace logo",
  logoRemove: "Remove logo",
  logoFailed: "Couldn't upload the logo. Try again.",
  description: "Description",
  website: "Website",
  websitePlaceholder: "https://example.com",
  industry: "Industry",
  size: "Size",
  sizeUnknown: "Not specified",
  profileSaved: "Company updated",
  profileFailed: "Failed to update company",
  plan: "Plan",
  users: "Users",
  sops: "SOPs",
  files: "Texts and files",
  share: "{used, number} of {of, number}",
  megabytes: "{usage} MB",
  optional: "(optional)",
});

export const rulesTexts = catalog("companies.own.rules", {
  saved: "Rules saved",
  failed: "Couldn't save the rules. Try again.",
  control: "How SOPs are published",
  controls: {
    flexible: {
      label: "Flexible",
      hint: "Managers and administrators can publish without approval.",
    },
    strict: {
      label: "Strict",
      hint: "SOPs are published only after approval.",
    },
  } satisfies Record<CompanySettings["documentControl"], { label: string; hint: string }>,
  self: "People can approve their own SOPs",
  selfHint:
    "When off, requesters and recent authors can't approve. Only companies with one active user can turn it on.",
  selfWarning: "One person can then write and publish an SOP. Auditors usually expect two. Each use is logged.",
  textRules: "Writing rules",
  textRulesHint: "SOPs with errors can't be submitted for approval or published.",
  textRuleSets: {
    off: "None",
    minimal: "Minimal: placeholders, secrets, broken links",
    recommended: "Recommended: required sections too",
    regulated: "Regulated: every warning is an error",
  } satisfies Record<CompanySettings["textRules"], string>,
  review: "Months until the next review",
  reviewHint: "Leave empty for no reviews.",
  reading: "Days to confirm reading",
  readingHint: "Proposed by Ask to read. Leave empty for no due date.",
  numbers: "Numbers of new SOPs",
  numbersHint: "'{category}, {year}, {seq:3}' and text, such as {example}. Older SOPs keep theirs.",
  password: "Shortest password",
  passwordHint: "In characters. Leave empty for the server's minimum.",
  witness: "Email the latest commits to",
  witnessHint: "Every day. Leave empty to send none.",
});

export const glossaryTexts = catalog("companies.own.glossary", {
  description: "Different words for the same thing. Search finds SOPs that use any of them.",
  rows: "Words with the same meaning",
  rowsHint: "One meaning per line, words separated by commas. Up to 200 lines of 10 words.",
  placeholder: "PPE, protective equipment, safety gear",
  saved: "Glossary saved",
  failed: "Couldn't save the glossary. Try again.",
});

export const aiTexts = catalog("companies.own.ai", {
  enabled: "AI features",
  enabledHint: "When off, no one here can use AI and no text is sent to AI providers.",
  perUser: "AI tokens for each user a day",
  perCompany: "AI tokens for the company a month",
  budgetHint: "For the server's key only. 0 allows none. Leave empty for no limit.",
});

/** Texts of the page's warning. They are apart from the other texts, which load later. */
export const settingsLostTexts = catalog("companies.own.lost", {
  title: "Company settings were lost",
  text: "A restore set them from the audit log. Check each page, and the permissions of roles.",
  checked: "All settings are right",
  failed: "Couldn't save. Try again.",
});

export const pageTexts = catalog("companies.own.page", {
  title: "Company settings",
  readOnly: "You can see these settings. Company admins can change them.",
  denied: "You don't have permission to see the company's settings.",
  loading: "Loading the company…",
  sections: "Company settings",
});
