import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import ConfirmEmailPage from './confirm-email-page.tsx'
import ForgotPasswordPage from './forgot-password-page.tsx'
import NewPasswordPage from './new-password-page.tsx'
import StopMailPage from './stop-mail-page.tsx'

const pages: Record<string, () => ReactNode> = {
  [paths.forgotPassword]: ForgotPasswordPage,
  [paths.newPassword]: NewPasswordPage,
  [paths.confirmEmail]: ConfirmEmailPage,
  [paths.stopMail]: StopMailPage,
}

/** The pages that links in mails lead to, and the page to request one. */
export default function LinkPages() {
  const { pathname } = useLocation()
  // The router ignores case, and a slash at the end.
  const Page = pages[pathname.toLowerCase().replace(/\/$/, '')]
  return Page && <Page />
}
