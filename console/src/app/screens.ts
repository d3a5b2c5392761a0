/** All screens by their path. Each is loaded when it is opened first. How to add one: docs/developing/adding-a-screen.md. */
import { lazyRouteComponent } from '@tanstack/react-router';

type Component = ReturnType<typeof lazyRouteComponent>;

/** Screens of the console, for people with an office. `$id` is a parameter. */
export const SCREENS: Record<string, Component> = {
  '/console': lazyRouteComponent(() => import('../screens/start/StartScreen'), 'StartScreen'),
  '/console/processes': lazyRouteComponent(() => import('../screens/processes/ProcessesScreen'), 'ProcessesScreen'),
  '/console/processes/$id': lazyRouteComponent(() => import('../screens/processes/ProcessScreen'), 'ProcessScreen'),
};

/** Screens for everybody who is signed in. */
export const OWN_SCREENS: Record<string, Component> = {
  '/account/security': lazyRouteComponent(() => import('../screens/account/SecurityScreen'), 'SecurityScreen'),
};

/** Pages that need no session. Mails link to them. */
export const PUBLIC_PAGES: Record<string, Component> = {
  '/auth/login': lazyRouteComponent(() => import('../screens/mailed/LoginPage'), 'LoginPage'),
  '/auth/invitation': lazyRouteComponent(() => import('../screens/mailed/InvitationPage'), 'InvitationPage'),
  '/auth/reset-password': lazyRouteComponent(() => import('../screens/mailed/ResetPasswordPage'), 'ResetPasswordPage'),
  '/auth/forgot-password': lazyRouteComponent(
    () => import('../screens/mailed/ForgotPasswordPage'),
    'ForgotPasswordPage',
  ),
  '/auth/verify-email': lazyRouteComponent(() => import('../screens/mailed/VerifyEmailPage'), 'VerifyEmailPage'),
  '/auth/sso/callback': lazyRouteComponent(() => import('../screens/mailed/SsoCallbackPage'), 'SsoCallbackPage'),
};
