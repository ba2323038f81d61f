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
  PasswordProof,
  ProfileChange,
  Register,
  ResetPassword,
  Setup,
  SignedIn,
  TokenQuery,
} from "./schema.ts";

export const authSchemas = schemaGroup({
  check: { summary: "Check whether you are signed in", output: AuthCheck },
  me: { summary: "Get the signed-in user", output: SignedIn },
  login: { summary: "Sign in with username and password", body: Login, output: SignedIn },
  register: {
    summary: "Register: creates your own company, or joins the one of an invitation",
    body: Register,
    output: SignedIn,
  },
  invitation: { summary: "Get the details of an invitation link", query: TokenQuery, output: Invited },
  logout: { summary: "Sign out", body: z.strictObject({}).default({}), output: Done },
  forgotPassword: {
    summary: "Email a reset link, valid for 1 hour; the answer is the same for unknown addresses",
    body: ForgotPassword,
    output: ForgotAnswer,
  },
  validateResetToken: { summary: "Check whether a reset link still works", query: TokenQuery, output: LinkState },
  resetPassword: {
    summary: "Set a new password with a one-time reset link; this ends all sessions and tokens of the user",
    body: ResetPassword,
    output: Done,
  },
  confirmEmail: {
    summary: "Confirm an email address with its one-time link",
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
    summary: "Update your profile; a new email address needs a recent proof of the password",
    body: ProfileChange,
    output: SignedIn,
  },
  sendConfirmation: {
    summary: "Send a link to your email address that confirms it; earlier links stop working",
    body: z.strictObject({}).default({}),
    output: Done,
  },
  prove: {
    summary: "Enter your password again: needed before what can make a way to sign in, 15 minutes after the last time",
    body: PasswordProof,
    output: Done,
  },
  changePassword: {
    summary: "Change your password; this ends all other sessions and all tokens",
    body: PasswordChange,
    output: SignedIn,
  },
});
