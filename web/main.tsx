import { DirectionProvider } from '@base-ui/react/direction-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from 'react-error-boundary'
import { BrowserRouter } from 'react-router'
import { queryClient } from './api-client/api.ts'
import { App } from './app.tsx'
import { keepInstallOffer } from './browser/install-offer.ts'
import { showDeviceLanguage } from './browser/language.ts'
import { applyTheme, readTheme } from './browser/theme.ts'
import { confirm } from './browser/unconfirmed.ts'
import { direction, LanguageContext, locale, useShownLanguage } from './i18n/language.ts'
import { IdentityProvider } from './me.tsx'
import { prefetchFirstPage } from './pages/channel/prefetch-first-page.ts'
import { restoreFirstPage } from './pages/channel/restore-first-page.ts'
import { ErrorPage } from './pages/error-page.tsx'
import { followPictures } from './realtime/follow-pictures.ts'
import { bootstrap } from './session/bootstrap.ts'
import './styles/base.css'

applyTheme(readTheme())
keepInstallOffer()
followPictures(queryClient)

void start()

/** Not at the top level, where an `await` keeps the bundler from dropping files that only import other files. */
async function start() {
  const [bootstrapped] = await Promise.all([
    bootstrap({ restore: restoreFirstPage, prefetch: prefetchFirstPage }),
    showDeviceLanguage(),
  ])
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      {/* Cached data may have caused the error. */}
      <ErrorBoundary
        FallbackComponent={ErrorPage}
        onError={(error) => console.error('Uncaught render error:', error)}
        onReset={() => {
          queryClient.clear()
          confirm()
        }}
      >
        <QueryClientProvider client={queryClient}>
          {/* Without transitions, so that the next key press reaches the new page. */}
          <BrowserRouter useTransitions={false}>
            <IdentityProvider bootstrapped={bootstrapped}>
              <TranslatedApp />
            </IdentityProvider>
          </BrowserRouter>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  )
}

/** Another language renders everything again, and keeps all state: open parts, focus, typed text and requests. */
function TranslatedApp() {
  const language = useShownLanguage()
  useLayoutEffect(() => {
    Object.assign(document.documentElement, { lang: locale(), dir: direction() })
  })
  return (
    <LanguageContext value={language}>
      <DirectionProvider direction={direction()}>
        <App />
      </DirectionProvider>
    </LanguageContext>
  )
}
