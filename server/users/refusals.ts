import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.users.refusals", {
  unknownCompany: "This company is not known",
  usernameTaken: "This username is taken",
  ownPassword: "Change your own password in your account",
  inactiveUser: "Only an active user can get a new password",
  otherRole: "You can't manage users of this role",
  lastCompanyAdministrator: "This is the company's last active administrator",
  lastSystemAdministrator: "This is the last active system administrator",
  otherCompany: "You can't move a user to another company",
  ownRecord: "Ask another administrator to change your role, status, email or password",
  reservedName: "Sopwright shows this name itself. Use the person's own name",
  reservedUsername: "Sopwright shows this name itself. Choose another username",
  similarName: "This name looks like another user's, or contains it. Ask an administrator",
  emailTaken: "Another user of this company has this email address",
  fixedCompany: "A user can't change company",
});
