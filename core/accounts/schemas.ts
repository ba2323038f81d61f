import { z } from "zod";
import { Done } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import {
  AuthCheck,
  ConfirmEmail,
  ForgotAnswer,
  ForgotPassword,
  Invited,
  LinkState,
  Login,
  PasswordChange,
  ProfileChange,
  Register,
  ResetPassword,
  Setup,
  SignedIn,
  TokenQuery,
} from "./schema.ts";

export const authSchemas = schemaGroup({
  check: { summary: "Is anybody signed in?", output: AuthCheck },
  me: { summary: "The signed-in user", output: SignedIn },
  login: { summary: "Sign in with username and password", body: Login, output: SignedIn },
  register: {
    summary: "Open an account: founds a company, or joins the one that an invitation names",
    body: Register,
    output: SignedIn,
  },
  invitation: { summary: "What an invitation link leads to", query: TokenQuery, output: Invited },
  logout: { summary: "Sign out", body: z.strictObject({}).default({}), output: Done },
  forgotPassword: {
    summary: "Mail a reset link, valid for 1 hour; the answer is the same whether or not somebody has the address",
    body: ForgotPassword,
    output: ForgotAnswer,
  },
  validateResetToken: { summary: "Does a reset link still work?", query: TokenQuery, output: LinkState },
  resetPassword: {
    summary: "Set a new password by a reset link, once; every session and token of the user ends",
    body: ResetPassword,
    output: Done,
  },
  confirmEmail: {
    summary: "Confirm an email address by the link that was sent there, once",
    body: ConfirmEmail,
    output: Done,
  },
  setup: {
    summary: "Create the first system administrator with the one-time link's token",
    body: Setup,
    output: SignedIn,
  },
});

export const accountSchemas = schemaGroup({
  update: {
    summary: "Change one's own profile; another email address asks for the password",
    body: ProfileChange,
    output: SignedIn,
  },
  sendConfirmation: {
    summary: "Send a link to your email address that confirms it; earlier links stop working",
    body: z.strictObject({}).default({}),
    output: Done,
  },
  changePassword: {
    summary: "Change one's own password: every other session and every token ends",
    body: PasswordChange,
    output: SignedIn,
  },
});
