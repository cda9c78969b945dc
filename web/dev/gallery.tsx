import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { bestLanguage, direction, loadAllTexts, locale, showLanguage } from '../i18n/language.ts'
import { startTooltips } from '../ui/menu/tooltips.ts'
import { feedback, Toasts } from './feedback.tsx'
import { allowForcedStates } from './forced-states.ts'
import { inputs } from './inputs.tsx'
import { lists } from './lists.tsx'
import { Overlays } from './overlays.tsx'
import type { Exhibit } from './samples.tsx'
import { signs } from './signs.tsx'
import '../styles/base.css'

const rooms: [name: string, exhibits: Exhibit[]][] = [
  ['Signs', signs],
  ['Inputs', inputs],
  ['Feedback', feedback],
  ['Lists', lists],
]

/**
 * Every part of `web/ui` in its states, light beside dark. Only `npm run dev` serves it. `?language=ar` shows it in
 * another language.
 */
function Gallery() {
  // Several fields take the focus when they appear.
  useEffect(() => {
    if (!location.search) (document.activeElement as HTMLElement | null)?.blur()
  }, [])
  return (
    <main className="mx-auto max-w-[1400px] p-5">
      <h1 className="mb-4 font-[650] text-title">Gallery</h1>
      <section aria-label="Over the page" className="mb-6 flex flex-col gap-3">
        <Overlays />
        {new URLSearchParams(location.search).has('toasts') && <Toasts />}
      </section>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 wide:grid-cols-2">
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme} data-theme={theme} className="min-w-0 rounded-xl border border-line bg-paper p-5 text-ink">
            {rooms.map(([room, exhibits]) => (
              <section key={room} aria-label={`${room}, ${theme}`}>
                <h2 className="mt-8 mb-2 font-[650] text-dialog first:mt-0">{room}</h2>
                {exhibits.map(({ name, show }) => (
                  <figure key={name} className="border-line border-t py-4">
                    <figcaption className="mb-3 font-[550] text-soft text-ui">{name}</figcaption>
                    {show(theme)}
                  </figure>
                ))}
              </section>
            ))}
          </div>
        ))}
      </div>
    </main>
  )
}

// The workspace fills the window, but the gallery scrolls.
for (const element of [document.documentElement, document.body]) element.style.cssText = 'height: auto; overflow: auto'
await showLanguage(bestLanguage([new URLSearchParams(location.search).get('language'), ...navigator.languages]))
await loadAllTexts()
Object.assign(document.documentElement, { lang: locale(), dir: direction() })
startTooltips()
allowForcedStates()
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
)
