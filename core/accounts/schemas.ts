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
  check: { output: AuthCheck },
  me: { output: SignedIn },
  login: { body: Login, output: SignedIn },
  register: { body: Register, output: SignedIn },
  invitation: { query: TokenQuery, output: Invited },
  logout: { body: z.strictObject({}).default({}), output: Done },
  forgotPassword: { body: ForgotPassword, output: ForgotAnswer },
  validateResetToken: { query: TokenQuery, output: LinkState },
  resetPassword: { body: ResetPassword, output: Done },
  confirmEmail: { body: ConfirmEmail, output: Done },
  setup: { body: Setup, output: SignedIn },
});

export const accountSchemas = schemaGroup({
  update: { body: ProfileChange, output: SignedIn },
  sendConfirmation: { body: z.strictObject({}).default({}), output: Done },
  changePassword: { body: PasswordChange, output: SignedIn },
});
