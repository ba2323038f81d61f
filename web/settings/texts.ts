import { catalog } from "#core/language/catalog.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";

export const texts = catalog("settings", {
  title: "Settings",
  subtitle: "Manage your personal preferences and API configurations",
  sections: "Settings sections",
  cancel: "Cancel",
  retry: "Try Again",
  saveFailedTitle: "Update Failed",
  saveFailed: "Failed to update settings. Please try again.",
  loadFailed: "Failed to fetch settings",
  loading: "Loading settings…",
});

export const aiTexts = catalog("settings.ai", {
  title: "AI Configuration",
  description: "Your key for the AI assistant, and whether to use it.",
  key: "OpenAI API Key",
  keyPlaceholder: "sk-...",
  keyHint: "Paste a new key to replace this one. Clear the field to remove it.",
  test: "Test Key",
  testing: "Testing...",
  valid: "Valid Key",
  invalid: "Invalid Key",
  accepted: "Valid API key",
  testFailed: "Invalid API key",
  globalTitle: "Global API Key Configured",
  global: "AI works without your own key. Enter one to use a different key.",
  noKeyTitle: "No API Key Configured",
  noKey: "AI features need a key. Enter your own above, or ask your administrator for a global one.",
  keyProblem: "The stored key can't be used",
  companyOff: "Your company turned AI off",
  companyOffText: "Your choice applies once an administrator turns it on.",
  enable: "Enable AI Features",
  enableHint: "Generate, improve and suggest SOPs with AI.",
  securityTitle: "API Key Security",
  security: {
    stored: "Your API key is stored encrypted.",
    shown: "It's never logged, shared or shown in full.",
    bills: "Your AI provider bills you for usage.",
    removed: "Clearing the field and saving removes the key.",
  },
  save: "Save Settings",
  saving: "Saving...",
  savedTitle: "Settings Updated",
  saved: "Your settings have been saved successfully.",
});

export const profileTexts = catalog("settings.profile", {
  title: "Profile",
  description: "Signed in as {username}, {role} at {company}.",
  pictureHint: "PNG, JPEG, GIF or WebP. Cropped to a square.",
  pictureChoose: "Upload image",
  pictureRemove: "Remove",
  pictureSaved: "Image updated",
  pictureRemoved: "Image removed",
  pictureFailed: "Couldn't save the image. Try again.",
  pictureUnreadable: "This file isn't a supported image.",
  name: "Full name",
  initials: "Initials",
  initialsHint: "Leave empty to use your name's initials.",
  email: "Email",
  emailHint: "For emails and for resetting your password.",
  emailUnsent: "This server sends no email.",
  unconfirmed: "Your email address is not confirmed",
  unconfirmedText: "Until you confirm it, you get no emails and can't invite others by email.",
  sendConfirmation: "Send confirmation link",
  confirmationSent: "Confirmation link sent",
  confirmationFailed: "Couldn't send the link. Try again.",
  department: "Department",
  jobTitle: "Job title",
  phone: "Phone",
  saved: "Profile updated",
  failed: "Couldn't update your profile. Try again.",
});

export const passwordTexts = catalog("settings.password", {
  title: "Password",
  description: "Signs you out everywhere else and revokes your access tokens.",
  current: "Current password",
  next: "New password",
  submit: "Change password",
  doneTitle: "Password changed",
  done: "You're signed out everywhere else.",
  failed: "Couldn't change your password. Try again.",
  missing: "Enter your current password",
  mismatch: "Passwords do not match",
});

export const sessionTexts = catalog("settings.session", {
  title: "Sessions",
  description: "Don't recognize a session? Sign it out and change your password.",
  current: "This device",
  unknown: "Unknown device",
  active: "Active {ago}",
  since: "signed in {date}",
  end: "Sign out",
  endLabel: "Sign out {device}",
  ended: "Session ended",
  endFailed: "Failed to end the session",
  endTitle: "Sign out {device}?",
  endText: "That browser must sign in again.",
  endOthers: "Sign out all other sessions",
  endOthersTitle: "Sign out all other sessions?",
  endOthersText: "Other browsers must sign in again. Access tokens keep working.",
  othersEnded: "All other sessions ended",
  onlyThis: "No other sessions.",
  loadFailed: "Failed to load your sessions",
  loading: "Loading your sessions…",
});

export const tokenTexts = catalog("settings.token", {
  title: "Access tokens",
  description: "For the sop command and scripts. A token can do only what you allow, and never more than you.",
  create: "New Token",
  none: "No access tokens yet.",
  expires: "Expires {date}",
  expired: "Expired {date}",
  used: "last used {ago}",
  neverUsed: "never used",
  revoke: "Revoke",
  revokeLabel: "Revoke {name}",
  revokeTitle: "Revoke ''{name}'?",
  revokeText: "Anything using it stops working. You can't undo this.",
  revoked: "Token revoked",
  revokeFailed: "Failed to revoke the token",
  loadFailed: "Failed to load your tokens",
  loading: "Loading your tokens…",
  newTitle: "New access token",
  newText: "Choose a clear name and only the permissions it needs.",
  name: "Name",
  namePlaceholder: "Import pipeline",
  scopes: "It can",
  expiry: "Expires in",
  expiries: { "7": "7 days", "30": "30 days", "90": "90 days", "180": "180 days", "365": "1 year" },
  make: "Create token",
  nameMissing: "Give the token a name",
  scopeMissing: "Choose at least one",
  makeFailed: "Couldn't create the token. Try again.",
  shownTitle: "Copy your new token",
  shownText: "You won't see it again. Keep it secret: anyone who has it can act as you.",
  shown: "Token",
  copiedStatus: "The token is copied",
  done: "Done",
});

export const mailTexts = catalog("settings.mail", {
  title: "Email notifications",
  unsent: "This server sends no email",
  unsentText: "You find all notifications here in the app.",
  noAddress: "Your profile has no email address",
  noAddressText: "Add one there to receive emails.",
  unconfirmedText: "Confirm it there to receive emails.",
  to: "Emails go to {email}.",
  failed: "Failed to update settings. Please try again.",
  kinds: {
    approval_requested: { label: "Approval requested", hint: "Someone asks you to approve an SOP." },
    approval_decided: { label: "Approval decided", hint: "Your SOP was approved or rejected." },
    mention: { label: "Mentions", hint: "Someone mentions you." },
    comment: { label: "Comments", hint: "Someone comments on your SOP." },
    review_due: { label: "Review due", hint: "Your SOP is due for review." },
    acknowledgement: { label: "Read confirmation", hint: "You're asked to confirm that you've read an SOP." },
    proposal: { label: "Proposals", hint: "A change arrives by Git, or yours is decided." },
  },
});

export const themeTexts = catalog("settings.theme", {
  title: "Appearance",
  legend: "Theme",
  light: "Light",
  dark: "Dark",
  system: "Same as system",
});

interface ScopeText {
  label: string;
  hint: string;
}

/** The scopes of tokens in plain words. */
export const scopeTexts = catalog("settings.scope", {
  "sops:read": { label: "Read SOPs", hint: "See, search and export every SOP you can see." },
  "sops:write": { label: "Write SOPs", hint: "Create, import, edit and delete SOPs and categories." },
  approvals: { label: "Handle approvals", hint: "Submit for approval, approve and reject in your name." },
  admin: { label: "Administer", hint: "Manage users, teams and the company, and read the audit log." },
  "repo:read": { label: "Clone the repository", hint: "Read your company's Git repository." },
  "repo:push": { label: "Push to the repository", hint: "Edit SOPs through Git." },
}) satisfies Record<TokenScope, ScopeText>;
