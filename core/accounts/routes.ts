import { routeGroup } from "../contract/route.ts";

export const authRoutes = routeGroup({
  check: { method: "GET", path: "/api/auth/check", access: "public", summary: "Is anybody signed in?" },
  me: { method: "GET", path: "/api/auth/me", access: "user", summary: "The signed-in user" },
  login: {
    method: "POST",
    path: "/api/auth/login",
    access: "public",
    limiter: "sign-in",
    body: "sign-in",
    summary: "Sign in with username and password",
  },
  register: {
    method: "POST",
    path: "/api/auth/register",
    access: "public",
    limiter: "register",
    body: "sign-in",
    success: 201,
    summary: "Open an account and found its company",
  },
  logout: {
    method: "POST",
    path: "/api/auth/logout",
    access: "public",
    body: "sign-in",
    limiter: "sign-in",
    summary: "Sign out",
  },
  setup: {
    method: "POST",
    path: "/api/setup",
    access: "public",
    limiter: "setup",
    body: "sign-in",
    success: 201,
    summary: "Create the first system administrator with the one-time link's token",
  },
});
