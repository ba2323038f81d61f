/**
 * Every text and constant that the specification fixes (the seed), each with the test that proves it.
 * `test/seed-texts.test.ts` compares this list with the seed and with the named tests. Sections of the seed: 2 screens,
 * 4 states, 5 validation, 7 calls, 8 errors, 9 constants.
 */

export type Section = 2 | 4 | 5 | 7 | 8 | 9;

export interface SeedText {
  section: Section;
  /** The seed's text; for section 9, the section's own words. */
  text: string;
  shownBy: {
    file: string;
    test: string;
    /** The text that the test looks for instead: the text with its blanks filled, or code for section 9. */
    as: string;
  };
}

export interface ReplacedText {
  section: Section;
  text: string;
  /** The reason why no test shows it. */
  replaced: string;
}

/** Texts without a test. */
export const pending: readonly string[] = [];

const readyInstead = "the product does what the text announced for later";

export const replacedTexts: readonly ReplacedText[] = [
  { section: 2, text: "Feature Coming Soon", replaced: readyInstead },
  { section: 2, text: "SOP templates will be available in the next update.", replaced: readyInstead },
  { section: 2, text: "SOP improvement suggestions will be available soon.", replaced: readyInstead },
  { section: 2, text: "-", replaced: "the category's tiles show real counts" },
];

type Entry = string | readonly [text: string, as: string];

export function by(file: string, test: string, texts: Partial<Record<Section, readonly Entry[]>>): SeedText[] {
  return Object.entries(texts).flatMap(([section, entries]) =>
    entries.map((entry) => {
      const [text, as] = typeof entry === "string" ? [entry, entry] : entry;
      return { section: Number(section) as Section, text, shownBy: { file, test, as } };
    }),
  );
}

const shell: readonly SeedText[] = [
  ...by("web/shell/guard.test.tsx", "is 'Page Not Found', signed in or not", { 2: ["Page Not Found"] }),
  ...by("web/shell/guard.test.tsx", "says when the check failed, and tries again", { 8: ["Failed to check auth"] }),
  ...by("web/shell/guard.test.tsx", "says when signing out failed, and stays", { 8: ["Logout failed"] }),
  ...by("web/shell/shell.test.tsx", "navigates with counts, lists categories, and says who is signed in", {
    2: ["AI-Powered SOPs", "Dashboard"],
  }),
  ...by("web/shell/shell.test.tsx", "searches from anywhere", { 2: ["Search SOPs, procedures, or topics..."] }),
  ...by("web/dashboard/dashboard.test.tsx", "shows the four numbers, with placeholders until they are there", {
    2: ["Total SOPs", "Active Teams", "Pending Approval", "AI Suggestions"],
  }),
];

const sopsPage = "web/sops/list/sops-page.test.tsx";
const marks = "web/favorites/favorites.test.tsx";
const pendingPage = "web/approvals/pending-page.test.tsx";
const category = "web/categories/category.test.tsx";
const allSops = "has heading, search and New SOP, and the sidebar says what it is for";

const lists: readonly SeedText[] = [
  ...by(sopsPage, allSops, {
    2: [
      "Standard Operating Procedures",
      "All SOPs",
      "Browse and manage all Standard Operating Procedures",
      "New SOP",
      "Search SOPs by title, content, or keywords...",
    ],
  }),
  ...by("web/ai/places.test.tsx", "is there when AI may be used", { 2: ["AI Assistant Active"] }),
  ...by(sopsPage, "offer the seed's choices", {
    2: ["All Categories", "All Status", "Published", "Draft", "Under Review", "Archived"],
  }),
  ...by(sopsPage, "offer the seed's choices", {
    2: ["Anytime", "Last 7 days", "Last 30 days", "Last 3 months"],
  }),
  ...by(sopsPage, "go into the address when chosen, and out of it by Clear all", { 2: ["Clear all"] }),
  ...by(sopsPage, "says when it failed, and tries again", {
    2: ["Failed to load SOPs", "Try Again"],
    8: ["Failed to fetch SOPs", "Failed to load SOPs"],
  }),
  ...by(sopsPage, "offers the first SOP where there is none", { 2: ["No SOPs found", "Create your first SOP"] }),
  ...by(sopsPage, "appends the next page by cursor, and goes when there is no more", { 2: ["Load More SOPs"] }),
  ...by(sopsPage, "fall back where the server knows nothing", { 2: ["Uncategorized", "Unknown", "??", "Never"] }),
  ...by(sopsPage, "show title, description, status, category, times, author, and lead to the SOP", {
    2: [["Updated ... ago", "Updated 3 days ago"]],
  }),
  ...by(sopsPage, "flag templates, drafts in work, and what an AI wrote", {
    2: ["AI Recommendation", "This SOP was generated to help standardize your team's processes."],
  }),
  ...by(sopsPage, "say what an SOP under review waits for", {
    2: ["Pending Review: Waiting for approval from team lead"],
  }),
  ...by(marks, "has heading, search and filters, and asks for what is starred alone", {
    2: ["Favorites", "Search your favorite SOPs..."],
  }),
  ...by(marks, "says how to get some where there are none, and that filters match nothing", {
    2: ["No favorites yet", "Star SOPs to add them to your favorites for quick access"],
  }),
  ...by(marks, "has heading, search and a time range, which the server is asked for", {
    2: ["Recent", "Today", "Past Week", "Past Month", "Past Quarter", "All Time"],
  }),
  ...by(marks, "takes the range from the address, and a nonsense one as the default", { 2: ["No recent activity"] }),
  ...by(pendingPage, "lists what waits for me first, then what else is under review", {
    2: [
      "Pending Approval",
      "Action Required",
      "There are SOPs waiting for your review. Please review and approve or provide feedback.",
      "Select an SOP to view approval details",
    ],
  }),
  ...by(pendingPage, "is empty when nothing is pending", { 2: ["No pending approvals"] }),
  ...by(category, "shows name, count, tiles with real counts, and its SOPs", { 2: ["New SOP in Category"] }),
  ...by(category, "offers the first SOP of an empty category", {
    2: ["No SOPs in this category", "Create First SOP"],
  }),
  ...by("server/sops/list/list.test.ts", "are filtered by category, status, template and time, alone and together", {
    7: ["all"],
  }),
];

const view = "web/sops/view/sop-view.test.tsx";
const edit = "web/sops/edit/sop-edit.test.tsx";
const compare = "web/sops/diff/compare.test.tsx";
const enhance = "web/sops/edit/enhance.test.tsx";
const approvals = "web/approvals/approval-panel.test.tsx";

const sops: readonly SeedText[] = [
  ...by(view, "says 'SOP Not Found' for an unknown one", {
    2: ["SOP Not Found", "The requested SOP could not be found."],
  }),
  ...by(sopsPage, allSops, { 2: [["new", "/sop/new"]] }),
  ...by(edit, "asks for what is missing in the seed's words, and sends nothing", {
    5: [
      "Title is required",
      "Description is required",
      "Content is required",
      "Category is required",
      "Read time must be at least 1 minute",
    ],
  }),
  // the form always sends a status, so only other clients can omit it
  ...by("core/sops/schema.test.ts", "the form asks for what is missing in the seed's words", {
    5: ["Status is required"],
  }),
  // each row covers two texts
  ...by(edit, "sends the form, says 'SOP Created' and shows the new SOP", {
    8: [["SOP Created/Updated", "SOP Created"]],
  }),
  ...by(edit, "saves on the version it loaded, and says 'SOP Updated'", {
    8: [["SOP Created/Updated", "SOP Updated"]],
  }),
  ...by(edit, "says 'Failed to create SOP', shows the server's reason and keeps what was typed", {
    8: ["Error", ["Failed to create/update SOP", "Failed to create SOP"]],
  }),
  ...by(edit, "says before saving what a status will do, and shows the server's refusal beside the form", {
    8: [["Failed to create/update SOP", "Failed to update SOP"]],
  }),
  ...by(compare, "says 'Failed to fetch version history', and can be tried again", {
    8: ["Failed to fetch version history"],
  }),
  ...by(compare, "is not there without version control (501), and its screen says so", {
    8: ["Version control not available"],
  }),
  ...by(compare, "restores with the seed's words, and says so when it failed", {
    8: [
      "Error",
      "Failed to restore version. Please try again.",
      "Version restored",
      "The SOP has been restored to the selected version.",
    ],
  }),
  ...by(enhance, "detects an empty text, and sends no request", {
    5: ["No Content", "Add some content first before enhancing."],
  }),
  ...by(enhance, "sends the current text, shows each change with its reason, and applies what was accepted", {
    8: ["Content Enhanced", "AI has improved your SOP content."],
  }),
  ...by(enhance, "says in the seed's words that it failed, why beside the text, and tries again", {
    8: ["Enhancement Failed", "Failed to enhance content with AI."],
  }),
  ...by(approvals, "can be tried again when the server failed", { 8: ["Failed to fetch approval status"] }),
  ...by(approvals, "says that it failed, why, and keeps what was chosen", {
    8: ["Error", "Failed to request approval. Please try again."],
  }),
  ...by(approvals, "offers the people who can approve, says why authors can't, and sends note and approvers", {
    8: ["Approval requested", "The SOP has been submitted for approval."],
  }),
  ...by(approvals, "%s asks first, takes a comment along, and says that it was done", {
    8: ["Approved", "You have approved this SOP.", "Rejected", "You have rejected this SOP."],
  }),
  ...by(approvals, "%s that fails says so in the question, without a toast", {
    8: ["Failed to approve", "Failed to reject"],
  }),
];

const panel = "web/ai/assistant.test.tsx";
const failed = "shows %s in its own words, and keeps the request";

const assistant: readonly SeedText[] = [
  ...by(panel, "a template becomes a draft, open in the editor", { 2: ["Create SOP from template"] }),
  ...by(panel, "an SOP to improve is the one on screen, or found by search among those one may edit", {
    2: ["Improve existing SOP"],
  }),
  ...by(panel, "suggests missing SOPs for what the team does, and shows a failure beside the question", {
    2: ["Suggest missing SOPs"],
    8: ["Suggestions Generated!", ["Found {n} potential SOPs for your team.", "Found 3 potential SOPs for your team."]],
  }),
  ...by(
    "web/ai/recent-suggestions.test.tsx",
    "the panel has a region 'Recent Suggestions' with what waits for a decision",
    {
      2: ["Recent Suggestions"],
    },
  ),
  ...by(panel, "sends on Enter, says what it does, and leads to the draft and what to check in it", {
    2: ["Ask AI about SOPs..."],
    7: ["General"],
    8: [
      "AI is generating your SOP...",
      "Generating...",
      "SOP Generated!",
      ['Created "{title}" successfully.', 'Created "Clean the press" successfully.'],
    ],
  }),
  ...by(panel, failed, {
    8: [
      "Generation Failed",
      "OpenAI API key not configured. Please set OPENAI_API_KEY in your environment.",
      "Failed to generate SOP. Please try again.",
    ],
  }),
];

const login = "web/sign-in/login.test.tsx";
const register = "web/sign-in/register.test.tsx";
const forgotten = "web/sign-in/forgotten.test.tsx";
const loginFailed = "Login failed. Please try again.";
const registrationFailed = "Registration failed. Please try again.";

const accounts: readonly SeedText[] = [
  ...by(login, "offers an account only where registration is open", { 2: ["Forgot password", "Create an account"] }),
  ...by(login, "shows the server's words, or its own when there are none", {
    8: [["Login failed", loginFailed], loginFailed],
  }),
  ...by(register, "shows the server's findings: under the field it names, else above the form, else its own words", {
    8: [["Registration failed", registrationFailed], registrationFailed],
  }),
  ...by(register, "says what is wrong under each field, and sends nothing", {
    5: ["Password must be at least 6 characters long"],
  }),
  ...by(register, "wants the same password twice", { 5: ["Passwords do not match"] }),
  ...by(forgotten, "shows what was wrong: under the address, how long to wait, or its own words", {
    8: ["Failed to send reset email. Please try again."],
  }),
  ...by(forgotten, "says 'Invalid reset link' without a token, and offers a new one", {
    5: ["Invalid reset link"],
    8: ["Invalid reset link"],
  }),
  ...by(forgotten, "says that a link is used up, and that it could not be validated", {
    8: ["Invalid or expired reset link", "Failed to validate reset link"],
  }),
  ...by(forgotten, "shows why a password was refused", { 8: ["Failed to reset password. Please try again."] }),
];

const settingsPage = "web/settings/settings.test.tsx";

const settings: readonly SeedText[] = [
  ...by(settingsPage, "is reached from the sidebar and says what the seed says", {
    2: [
      "Settings",
      "Manage your personal preferences and API configurations",
      "AI Configuration",
      "No API Key Configured",
      "API Key Security",
    ],
  }),
  ...by(settingsPage, "tests a key, but neither an empty nor a masked one", {
    2: ["Test Key", "Testing...", "Global API Key Configured"],
    5: ["Invalid Key: Please enter a valid API key to test."],
    8: ["Invalid API key"],
  }),
  ...by(settingsPage, "saves: a masked key is not sent, an emptied one removes it", {
    2: ["Enable AI Features", "Save Settings", "Saving..."],
    8: ["Settings Updated", "Your settings have been saved successfully."],
  }),
  ...by(settingsPage, "goes back with Cancel, and says when saving failed", {
    8: ["Update Failed", "Failed to update settings. Please try again."],
  }),
  ...by(settingsPage, "says when settings can't be fetched, and what AI needs", {
    8: ["Failed to fetch settings"],
  }),
];

const companies = "web/companies/companies.test.tsx";
const users = "web/users/users-page.test.tsx";
const dialog = "web/users/user-dialog.test.tsx";

const administration: readonly SeedText[] = [
  ...by(companies, "are not for %s", { 2: ["Access Denied", "You don't have permission to access this page."] }),
  ...by(companies, "checks by the rules of the specification", {
    5: ["Company name must be at least 2 characters", "Slug must be lowercase with hyphens only"],
  }),
  ...by(companies, "say when there are none, and when they could not be fetched", { 8: ["Failed to fetch companies"] }),
  ...by(companies, "shows what the server found", { 8: ["Failed to create company. Please try again."] }),
  ...by(companies, "edits with the known values filled in, and shows failures", { 8: ["Failed to update company"] }),
  ...by(companies, "that can't be deleted say why", { 8: ["Failed to delete company"] }),
  ...by(users, "is not for managers", { 2: ["Access Denied", "You don't have permission to manage users."] }),
  ...by(users, "asks the company's endpoint for company admins, the system's for system admins", {
    2: ["Users Management", "Manage all users across the system", "Manage users in your organization"],
  }),
  ...by(users, "shows name, contact, department, role, status and last login", {
    2: [["MMM d, yyyy", "Jan 5, 2026"], "Never"],
  }),
  ...by(users, "says that it loads, that the list is empty, and that it failed", {
    2: ["No users found", "Loading users..."],
    8: ["Failed to fetch users"],
  }),
  ...by(users, "start with Active, offer what the viewer may assign, and live in the address", {
    2: ["Search users by name, email, or username...", "All Roles", "All Status", "Active", "Suspended", "Deleted"],
    7: [["all", "/admin/users?status=all&role=editor"]],
  }),
  ...by(users, "suspends active users after a question, by sending the whole user, and activates the others", {
    2: ["Suspend User", "Activate User"],
    8: ["User updated"],
  }),
  ...by(users, "shows why a change was refused", { 8: ["Failed to update user", "Failed to delete user"] }),
  ...by(users, "asks before it deletes, and gives the focus back", {
    2: ["Delete User"],
    4: [["Are you sure you want to delete {name}?", "Are you sure you want to delete Bob Baker?"]],
    8: ["User deleted"],
  }),
  ...by(users, "sends a reset link, or shows the link where there is no email", {
    2: ["Reset Password"],
    8: ["Password Reset"],
  }),
  ...by(dialog, "has the fields and defaults of the specification, the first of them focused", {
    2: ["New User", "Create New User", "Add a new user to the system", "Minimum 6 characters"],
  }),
  ...by(dialog, "is checked before it is sent", {
    2: ["Create User"],
    5: [
      "Username must be at least 3 characters",
      "Invalid email address",
      "Name must be at least 2 characters",
      "Password must be at least 6 characters",
    ],
  }),
  ...by(dialog, "is sent, announced and listed; the focus goes back to the button", { 8: ["User created"] }),
  ...by(dialog, "starts with what is known, keeps the username, asks for no password", {
    2: ["Edit User", "Update the user information below", "Update User"],
  }),
  ...by(dialog, "shows what the server found: under its field, or as the failure it is", {
    8: ["Error", "Failed to create user. Please try again."],
  }),
];

export const quotedTexts: readonly SeedText[] = [
  ...shell,
  ...lists,
  ...sops,
  ...assistant,
  ...accounts,
  ...settings,
  ...administration,
];
