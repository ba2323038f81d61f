import type { Unsent } from "#core/users/schema.ts";
import type { CompanySettings } from "#core/companies/settings.ts";
import type { InvitationState } from "#core/invitations/rules.ts";

export const texts = {
  failed: "The company could not be loaded.",
  save: "Save",
  profile: "Profile",
  name: "Company name",
  logo: "Logo",
  logoAlt: "Logo of the company",
  logoHint: "PNG, JPEG, GIF or WebP, up to 5 MB.",
  logoUpload: "Upload logo",
  logoReplace: "Replace logo",
  logoRemove: "Remove logo",
  logoFailed: "The logo could not be uploaded. Please try again.",
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
  failed: "The rules could not be saved. Please try again.",
  control: "Publishing",
  controls: {
    flexible: {
      label: "Flexible",
      hint: "Managers and administrators may publish at once; asking for approval is possible, but not required.",
    },
    strict: {
      label: "Strict",
      hint: "Nothing comes into force before the chosen approvers have approved it.",
    },
  } satisfies Record<CompanySettings["documentControl"], { label: string; hint: string }>,
  self: "People may approve their own SOPs",
  selfHint:
    "Off: whoever asked for approval, or wrote a part since the last published version, can't decide. A company with one active user can turn it on.",
  selfWarning:
    "One person alone can then write an SOP and bring it into force. Auditors usually ask for two. Every use is marked in the audit log.",
  textRules: "Rules for texts",
  textRulesHint: "An SOP with errors by these rules can't be submitted for approval or published.",
  textRuleSets: {
    off: "None",
    minimal: "Minimal: placeholders, secrets, broken links",
    recommended: "Recommended: required sections too",
    regulated: "Regulated: every warning is an error",
  } satisfies Record<CompanySettings["textRules"], string>,
  review: "Months until the next review",
  reviewHint: "Counted from publication. Leave it empty to ask for no reviews.",
  password: "Shortest password",
  passwordHint: "Characters of a new password. Leave it empty for what the server asks.",
} as const;

export const glossaryTexts = {
  title: "Glossary",
  description: "What has several names here. A search for one of them finds SOPs that use another.",
  rows: "Words that mean the same",
  rowsHint: "A line for each meaning, with commas between its words: up to 200 lines of 10 words.",
  placeholder: "PPE, protective equipment, safety gear",
  saved: "Glossary saved",
  failed: "The glossary could not be saved. Please try again.",
} as const;

export const aiTexts = {
  enabled: "AI features",
  enabledHint: "Off: nobody in this company can use them, and no text is sent to an AI provider.",
  perUser: "AI tokens for each user a day",
  perCompany: "AI tokens for the company a month",
  budgetHint: "Used with the server's key; personal keys are not counted. 0 allows none, empty sets no limit.",
} as const;

export const invitationTexts = {
  title: "Invitations",
  description: "A link with which one person creates an account in your company.",
  create: "New Invitation",
  createTitle: "Invite somebody",
  createText: "The link works once. You choose the role, the person chooses a name and a password.",
  role: "Role",
  email: "Email",
  emailHint: "The link is sent there too.",
  emailUnconfirmed: "Confirm your own address in Settings first, or copy the link.",
  days: "Works for",
  day: (days: number) => `${days} ${days === 1 ? "day" : "days"}`,
  submit: "Create Link",
  cancel: "Cancel",
  failed: "The invitation could not be made. Please try again.",
  linkTitle: "Invitation link",
  linkText: (role: string, email: string | null, until: string) =>
    `For ${email ?? "one new colleague"}, as ${role}, until ${until}. It works once.`,
  unsent: {
    unconfirmed: "No email was sent. Confirm your email address in Settings first, or copy the link.",
    limit: "No email was sent: your company reached the limit for today. Copy the link.",
  } satisfies Record<Unsent, string>,
  list: "All invitations",
  loading: "Loading invitations...",
  loadFailed: "The invitations could not be loaded.",
  empty: "No invitations yet",
  emptyHint: "Invite colleagues: they register by the link and belong to your company at once.",
  count: (rows: number, hasMore: boolean) =>
    `${rows}${hasMore ? "+" : ""} ${rows === 1 && !hasMore ? "invitation" : "invitations"}`,
  columns: { who: "For", role: "Role", state: "State", invitedBy: "Invited by", expires: "Ends", actions: "Actions" },
  anybody: "Whoever has the link",
  states: { pending: "Open", used: "Used", revoked: "Revoked", expired: "Expired" } satisfies Record<
    InvitationState,
    string
  >,
  usedBy: (name: string) => `by ${name}`,
  revoke: "Revoke",
  revokeLabel: (who: string) => `Revoke the invitation for ${who}`,
  revokeAsk: "Revoke this invitation?",
  revokeText: "The link stops working at once.",
  revoked: "Invitation revoked",
  error: "Error",
  actionFailed: "That did not work. Please try again.",
} as const;

/** Of the page itself: what is below its heading loads with texts of its own. */
export const pageTexts = {
  title: "Company",
  subtitle: "Who you are, how SOPs come into force, and who may do what.",
  readOnly: "You can see these settings. Company admins can change them.",
  denied: "You don't have permission to see the company's settings.",
  loading: "Loading the company…",
} as const;
