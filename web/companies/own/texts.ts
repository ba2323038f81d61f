import type { UnsentReason } from "#core/users/schema.ts";
import type { CompanySettings } from "#core/companies/settings.ts";
import type { InvitationState } from "#core/invitations/rules.ts";

export const texts = {
  failed: "Couldn't load the company.",
  save: "Save",
  profile: "Profile",
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
  plan: (subscription: string, users: string, sops: string, files: string) =>
    `${subscription} plan: ${users}, ${sops}, ${files}.`,
} as const;

export const rulesTexts = {
  title: "Rules",
  saved: "Rules saved",
  failed: "Couldn't save the rules. Try again.",
  control: "Publishing",
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
  password: "Shortest password",
  passwordHint: "In characters. Leave empty for the server's minimum.",
} as const;

export const glossaryTexts = {
  title: "Glossary",
  description: "Different words for the same thing. Search finds SOPs that use any of them.",
  rows: "Words with the same meaning",
  rowsHint: "One meaning per line, words separated by commas. Up to 200 lines of 10 words.",
  placeholder: "PPE, protective equipment, safety gear",
  saved: "Glossary saved",
  failed: "Couldn't save the glossary. Try again.",
} as const;

export const aiTexts = {
  enabled: "AI features",
  enabledHint: "When off, no one here can use AI and no text is sent to AI providers.",
  perUser: "AI tokens for each user a day",
  perCompany: "AI tokens for the company a month",
  budgetHint: "For the server's key only. 0 allows none. Leave empty for no limit.",
} as const;

export const invitationTexts = {
  title: "Invitations",
  description: "A link that lets one person join your company.",
  create: "New Invitation",
  createTitle: "Invite someone",
  createText: "The link works once. You choose the role, they choose a name and password.",
  role: "Role",
  email: "Email",
  emailHint: "The link is sent there too.",
  emailUnconfirmed: "Confirm your own address in Settings first, or copy the link.",
  days: "Works for",
  day: (days: number) => `${days} ${days === 1 ? "day" : "days"}`,
  submit: "Create Link",
  cancel: "Cancel",
  failed: "Couldn't create the invitation. Try again.",
  linkTitle: "Invitation link",
  linkText: (role: string, email: string | null, until: string) =>
    `For ${email ?? "one new colleague"}, as ${role}, until ${until}. It works once.`,
  unsent: {
    unconfirmed: "No email was sent. Confirm your email address in Settings first, or copy the link.",
    limit: "No email was sent: your company reached the limit for today. Copy the link.",
  } satisfies Record<UnsentReason, string>,
  list: "All invitations",
  loading: "Loading invitations…",
  loadFailed: "Couldn't load the invitations.",
  empty: "No invitations yet",
  emptyHint: "Invite colleagues with a link. They join your company when they register.",
  count: (rows: number, hasMore: boolean) =>
    `${rows}${hasMore ? "+" : ""} ${rows === 1 && !hasMore ? "invitation" : "invitations"}`,
  columns: {
    who: "For",
    role: "Role",
    state: "State",
    invitedBy: "Invited by",
    expires: "Expires",
    actions: "Actions",
  },
  anybody: "Anyone with the link",
  states: { pending: "Open", used: "Used", revoked: "Revoked", expired: "Expired" } satisfies Record<
    InvitationState,
    string
  >,
  usedBy: (name: string) => `by ${name}`,
  revoke: "Revoke",
  revokeLabel: (who: string) => `Revoke the invitation for ${who}`,
  revokeAsk: "Revoke this invitation?",
  revokeText: "The link stops working right away.",
  revoked: "Invitation revoked",
  error: "Error",
  actionFailed: "That didn't work. Try again.",
} as const;

/** Of the page itself: what is below its heading loads with texts of its own. */
export const pageTexts = {
  title: "Company",
  readOnly: "You can see these settings. Company admins can change them.",
  denied: "You don't have permission to see the company's settings.",
  loading: "Loading the company…",
} as const;
