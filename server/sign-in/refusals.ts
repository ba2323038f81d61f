import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.sign-in.refusals", {
  changedEmail: "Someone else changed your email address. Check it again",
  changedName: "Someone else changed your name. Check it again",
  emailNeeded: "Add an email address to your profile first",
  confirmedAlready: "Your email address is confirmed already",
  invalidLink: "Invalid or expired link",
  oldSetupLink: "This set-up link is no longer valid. Use the one from the server's last start",
  registrationClosed: "Registration is closed here",
  invitationNeeded: "Registration is closed here: ask for an invitation",
  administratorExists: "A system administrator already exists",
  usernameTaken: "This username is taken",
  fullCompany: "The company has reached its limit of {maxUsers} users",
  unknownUser: "user {username} not found",
  wrongPassword: "The current password is wrong",
  invalidInvitation: "This invitation is no longer valid",
  invalidResetLink: "Invalid or expired reset link",
  shortPassword: "Password must be at least {minimum} characters long",
  longPassword: "Password must be at most {longest} characters long",
  commonPassword: "Password is too common",
  imageNeeded: "Upload the image first",
  wrongSignIn: "The username or the password is wrong",
});
