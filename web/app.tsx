import type { ReactNode } from 'react'
import { Navigate, Outlet, Route, Routes, useLocation } from 'react-router'
import type { Me } from '#contract/users'
import { t } from './i18n/text.ts'
import { useIdentity } from './me.tsx'
import { ChannelPage } from './pages/channel/channel-page.tsx'
import { DashboardPage } from './pages/dashboard-page.tsx'
import { LazyPage } from './pages/shell/lazy-page.tsx'
import { signInPage } from './pages/shell/lazy-parts.ts'
import { WorkspacePage } from './pages/shell/workspace-page.tsx'
import { UnreachablePage } from './pages/sign-in/unreachable-page.tsx'
import { type Intent, paths } from './paths.ts'
import { FullPageSpinner } from './ui/feedback/spinner.tsx'

const signUp = () => import('./pages/sign-in/sign-up-page.tsx')
const invite = () => import('./pages/sign-in/invite-page.tsx')
const linkPages = () => import('./pages/sign-in/link-pages.tsx')
const setUp = () => import('./pages/sign-in/set-up-page.tsx')
const secondFactor = () => import('./pages/sign-in/second-factor-page.tsx')
const threads = () => import('./pages/threads-page.tsx')
const later = () => import('./pages/later-page.tsx')
const drafts = () => import('./pages/drafts-page.tsx')
const share = () => import('./pages/share/share-page.tsx')
const shareFailed = () => import('./pages/share/share-failed-page.tsx')
const admin = () => import('./pages/admin/admin-page.tsx')

export function App() {
  const { search } = useLocation()
  return (
    <Routes>
      <Route element={<SignedOutOnly />}>
        <Route path={paths.home} element={<LazyPage key="sign-in" load={signInPage} />} />
        <Route path={paths.signIn} element={<LazyPage key="sign-in" load={signInPage} />} />
        <Route path={paths.signUp} element={<LazyPage key="sign-up" load={signUp} />} />
        <Route path={paths.forgotPassword} element={<LazyPage key="forgot" load={linkPages} />} />
        <Route path={paths.invite(':code')} element={<LazyPage key="invite" load={invite} />} />
      </Route>
      {[paths.newPassword, paths.confirmEmail, paths.stopMail].map((path) => (
        <Route key={path} path={path} element={<LazyPage key={path} load={linkPages} />} />
      ))}
      {/* Visitors are told as well: signing in would not bring back what they shared. */}
      {search.includes('failed=') && (
        <Route path={paths.share} element={<LazyPage key="share-failed" load={shareFailed} />} />
      )}
      <Route element={<SignedInOnly />}>
        <Route element={<WorkspacePage />}>
          <Route path={`${paths.dashboard}/*`} element={<DashboardPage />} />
          <Route
            path={paths.threads}
            element={<LazyPage key="threads" load={threads} waiting={t('threads.loading')} />}
          />
          <Route path={paths.later} element={<LazyPage key="later" load={later} waiting={t('later.loading')} />} />
          <Route path={paths.drafts} element={<LazyPage key="drafts" load={drafts} waiting={t('drafts.loading')} />} />
          <Route path={paths.share} element={<LazyPage key="share" load={share} waiting={t('share.loading')} />} />
          <Route path={paths.admin('*')} element={<LazyPage key="admin" load={admin} waiting={t('app.loading')} />} />
          <Route path={paths.channel(':channelId')} element={<ChannelPage />} />
        </Route>
      </Route>
      <Route path="*" element={<Navigate to={paths.home} replace />} />
    </Routes>
  )
}

/** Redirects signed-in users to the page they came for. */
function SignedOutOnly() {
  const { pathname, state } = useLocation()
  const waiting = pathname === paths.home ? t('app.loading') : t('app.loadingSignIn')
  return (
    <IdentityGate
      waiting={waiting}
      signedIn={<Navigate to={(state as Intent | null)?.from ?? paths.dashboard} replace />}
    >
      <Outlet />
    </IdentityGate>
  )
}

function SignedInOnly() {
  const { pathname, search } = useLocation()
  const { me, hasLeft, hasSessionEnded } = useIdentity()
  const intent: Intent = hasLeft ? {} : { from: pathname + search }
  return (
    <IdentityGate waiting={t('app.loading')} signedIn={<SignedIn me={me} />}>
      <Navigate to={hasSessionEnded ? paths.signIn : paths.home} replace state={intent} />
    </IdentityGate>
  )
}

/** The workspace, unless something comes first. */
function SignedIn({ me }: { me: Me | null | undefined }) {
  if (me?.needsSecondFactor) return <LazyPage key="second-factor" load={secondFactor} />
  if (me?.needsSetUp) return <LazyPage key="set-up" load={setUp} />
  return <Outlet />
}

/** Shows one thing to signed-in users and another to visitors, once it is known which this is. */
function IdentityGate({ waiting, signedIn, children }: { waiting: string; signedIn: ReactNode; children: ReactNode }) {
  const { me, error, refresh } = useIdentity()
  if (error) return <UnreachablePage retry={refresh} />
  if (me === undefined) return <FullPageSpinner>{waiting}</FullPageSpinner>
  return me ? signedIn : children
}
