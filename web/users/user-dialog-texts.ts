import { catalog } from "#core/language/catalog.ts";

/** Texts of the dialog for a user, which load with it. */
export const dialogTexts = catalog("users.dialog", {
  createTitle: "Create New User",
  createText: "Add a new user to the system",
  editTitle: "Edit User",
  editText: "Update the user information below",
  create: "Create User",
  update: "Update User",
  username: "Username",
  usernameFixed: "The username can't be changed.",
  email: "Email",
  emailHint: "Needed for password reset.",
  name: "Full Name",
  password: "Password",
  passwordEmpty: "Leave empty for a link to choose one.",
  title: "Job Title",
  phone: "Phone",
  company: "Company",
  ownRole: "You can't change your own role.",
  ownEmail: "Change your own email in Settings.",
  created: "User created",
  createFailed: "Failed to create user. Please try again.",
  minimum: "Minimum {count, number} characters",
});
