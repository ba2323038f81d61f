/** Accounts: registration, sign-in, set-up (`docs/spec/entities.md`). */
import { z } from "zod";
import { actions } from "../permissions/actions.ts";
import { roles } from "../permissions/roles.ts";
import { Message, missingValueError, requiredCleanTextSchema, sentenceError } from "../contract/parts.ts";
import { email, username } from "../users/account-names.ts";
import { displayLineSchema, displayNameSchema } from "../contract/shown-name.ts";
import { personName } from "../users/person-name.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.sign-in.schema", {
  shortPassword: "Password must be at least 6 characters long",
  resetLink: "Invalid reset link",
  link: "Invalid or expired link",
  longInitials: "Initials are at most 4 characters",
  initials: "Use letters",
  company: "Company name must be at least 2 characters",
  confirmation: "Passwords do not match",
});

export const newPassword = z
  .string(missingValueError(refusals.shortPassword))
  .min(6, sentenceError(refusals.shortPassword))
  .max(128);

/** An email address that a form may leave empty. */
const optionalEmail = z.union([email, z.literal("")]).nullish();

export const Me = z
  .object({
    id: z.string(),
    companyId: z.string(),
    company: z.object({
      id: z.string(),
      name: z.string(),
      slug: z.string(),
      documentControl: z.string(),
      numberScheme: z.string(),
      readingDays: z.int().nullable(),
    }),
    username: z.string(),
    email: z.string().nullable(),
    /** True if the user has opened a link that was sent to the address. */
    emailVerified: z.boolean(),
    name: z.string(),
    role: z.enum(roles),
    initials: z.string(),
    department: z.string().nullable(),
    title: z.string().nullable(),
    phone: z.string().nullable(),
    avatar: z.string().nullable(),
    status: z.string(),
    teamIds: z.array(z.string()),
    /** The user's own permissions beyond the role at the time of the answer; `deny` has the denied ones. */
    allow: z.array(z.enum(actions)),
    deny: z.array(z.enum(actions)),
    lastLoginAt: z.string().nullable(),
    createdAt: z.string(),
    /**
     * The number of the company's latest event, as text for `GET /api/events`. Data that is loaded later can only miss
     * events after it.
     */
    eventSeq: z.string(),
  })
  .meta({ id: "Me" });
export type Me = z.output<typeof Me>;

export const SignedIn = z.object({ user: Me }).meta({ id: "SignedIn" });
export const AuthCheck = z
  .object({
    authenticated: z.boolean(),
    userId: z.string().nullable(),
    registration: z.string(),
    /** The minimum length of a new password, by the rules of this server and the user's company. */
    passwordMinimum: z.int(),
    /**
     * The number of the latest event of the user's company. Data that is loaded later can only miss events after it.
     */
    eventSeq: z.string().nullable(),
    /** The server's address: `PUBLIC_URL`, or the address that it listens on. */
    address: z.string(),
    /** True if emails are sent. Without SMTP_URL, they are files in the data folder. */
    sendsEmail: z.boolean(),
  })
  .meta({ id: "AuthCheck" });

/** The token in a link. Other texts match no link. */
const linkToken = z.string().max(200);
export const TokenQuery = z.strictObject({ token: linkToken.optional() });

export const Login = z.strictObject({ username: z.string().max(200), password: z.string().max(1000) });
export const Register = z.strictObject({
  username,
  password: newPassword,
  name: personName,
  email: optionalEmail,
  invite: linkToken.optional(),
});
export const Invited = z
  .object({
    valid: z.boolean(),
    ...Message,
    company: z.string().optional(),
    role: z.enum(roles).optional(),
    email: z.string().nullable().optional(),
    /** The inviting user's name and username. */
    invitedBy: z.string().optional(),
  })
  .meta({ id: "Invited" });

export const ForgotPassword = z.strictObject({ email });
export const ForgotAnswer = z.object({ ok: z.literal(true), ...Message }).meta({ id: "ForgotAnswer" });
export const LinkState = z.object({ valid: z.boolean(), ...Message }).meta({ id: "LinkState" });
export const ResetPassword = z.strictObject({
  token: requiredCleanTextSchema(refusals.resetLink).max(200),
  password: newPassword,
});

export const ConfirmEmail = z.strictObject({ token: requiredCleanTextSchema(refusals.link).max(200) });

/** A line of a profile that can be empty. */
const nullableLineSchema = (max: number) => displayLineSchema(max).nullable();
export const ProfileChange = z.strictObject({
  name: personName.optional(),
  /** The initials; empty ones follow the name again. */
  initials: displayLineSchema(4, refusals.longInitials)
    .toUpperCase()
    .regex(/^[\p{L}\p{M}\p{N}.]*$/u, sentenceError(refusals.initials))
    .optional(),
  email: optionalEmail,
  department: nullableLineSchema(120).optional(),
  title: nullableLineSchema(120).optional(),
  phone: nullableLineSchema(60).optional(),
  /** The `/api/assets/…` address of an uploaded image. */
  avatar: nullableLineSchema(200).optional(),
});
export const PasswordProof = z.strictObject({ currentPassword: z.string().max(1000) });
export const PasswordChange = z.strictObject({ currentPassword: z.string().max(1000), newPassword });

export const Setup = z.strictObject({
  token: z.string().min(1).max(200),
  username,
  password: newPassword,
  name: personName,
  company: displayNameSchema(refusals.company, 2).max(120).optional(),
});

/** The registration form: the API's rules and the repeated password. */
export const RegisterForm = z
  .object({ username, password: newPassword, confirmation: z.string(), name: personName, email: optionalEmail })
  .refine((form) => form.password === form.confirmation, {
    ...sentenceError(refusals.confirmation),
    path: ["confirmation"],
  });
