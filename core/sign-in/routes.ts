import { routeGroup } from "../contract/route.ts";

export const authRoutes = routeGroup({
  check: { method: "GET", path: "/api/auth/check", access: "public" },
  me: { method: "GET", path: "/api/auth/me", access: "user" },
  login: {
    method: "POST",
    path: "/api/auth/login",
    access: "public",
    limiter: "sign-in",
    body: "sign-in",
  },
  register: {
    method: "POST",
    path: "/api/auth/register",
    access: "public",
    limiter: "register",
    body: "sign-in",
    success: 201,
  },
  invitation: {
    method: "GET",
    path: "/api/auth/invitation",
    access: "public",
    limiter: "register",
  },
  logout: {
    method: "POST",
    path: "/api/auth/logout",
    access: "public",
    body: "sign-in",
    limiter: "sign-in",
  },
  forgotPassword: {
    method: "POST",
    path: "/api/auth/forgot-password",
    access: "public",
    body: "sign-in",
    limiter: "forgot-password",
  },
  validateResetToken: {
    method: "GET",
    path: "/api/auth/validate-reset-token",
    access: "public",
    limiter: "reset-password",
  },
  resetPassword: {
    method: "POST",
    path: "/api/auth/reset-password",
    access: "public",
    body: "sign-in",
    limiter: "reset-password",
  },
  confirmEmail: {
    method: "POST",
    path: "/api/auth/confirm-email",
    access: "public",
    body: "sign-in",
    limiter: "confirm-email",
    touches: ["me"],
  },
  setup: {
    method: "POST",
    path: "/api/setup",
    access: "public",
    limiter: "setup",
    body: "sign-in",
    success: 201,
  },
});

export const accountRoutes = routeGroup({
  update: {
    method: "PUT",
    path: "/api/auth/me",
    access: "user",
    scope: "session",
    body: "sign-in",
    touches: ["me", "users"],
  },
  sendConfirmation: {
    method: "POST",
    path: "/api/auth/email-confirmation",
    access: "user",
    scope: "session",
    body: "sign-in",
  },
  changePassword: {
    method: "POST",
    path: "/api/auth/change-password",
    access: "user",
    scope: "session",
    body: "sign-in",
    touches: ["me", "sessions", "tokens"],
  },
});
