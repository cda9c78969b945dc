import { useEffect } from 'react'
import { Crash } from '../ui/feedback/crash.tsx'
import { LoadError } from '../ui/feedback/load-error.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { FullPageSpinner, Spinner } from '../ui/feedback/spinner.tsx'
import { showToast, ToastHost } from '../ui/feedback/toast.tsx'
import { Button } from '../ui/input/button.tsx'
import { Lazy } from '../ui/lazy/lazy.tsx'
import { ARABIC, Block, type Exhibit, LONG, Row, State } from './samples.tsx'

const never = () => new Promise<never>(() => {})
const fails = () => Promise.reject(new Error('Shown on purpose'))
const wordy = `${LONG.replaceAll('-', ' ')} couldn't be found by anyone who looked for it`

export const feedback: Exhibit[] = [
  {
    name: 'Spinner',
    show: () => (
      <Row>
        <State name="in its place">
          <Spinner>Loading files...</Spinner>
        </State>
        <Block name="whole page">
          <div className="h-32 w-80 overflow-hidden rounded-m">
            <FullPageSpinner>Loading Parley...</FullPageSpinner>
          </div>
        </Block>
      </Row>
    ),
  },
  {
    name: 'Notice',
    show: () => (
      <div className="flex flex-col gap-3">
        <Notice title="No drafts">Messages you start but don't send appear here.</Notice>
        <Notice title={ARABIC} />
        <Notice title={wordy}>{wordy}</Notice>
      </div>
    ),
  },
  {
    name: 'Crash',
    show: () => (
      <div className="flex">
        <Crash retry={() => {}} toGeneral={() => {}} />
      </div>
    ),
  },
  {
    name: 'LoadError',
    show: () => <LoadError text="Couldn't load this. Check your connection." retry={() => {}} />,
  },
  {
    name: 'Lazy',
    show: () => (
      <Row>
        <State name="waiting">
          <Lazy load={never} waiting={<Spinner>Loading threads...</Spinner>} />
        </State>
        <State name="failed">
          <Lazy load={fails} />
        </State>
      </Row>
    ),
  },
]

/** All kinds of toasts at once, shown for an hour. */
export function Toasts() {
  useEffect(() => {
    const durationMs = 3_600_000
    showToast('Link copied', { durationMs })
    showToast(`You left #${LONG}. You can rejoin at any time.`, { durationMs })
    showToast('Message deleted', { durationMs, action: { name: 'Undo', act: () => {} } })
    window.dispatchEvent(new Event('online'))
  }, [])
  return (
    <>
      <ToastHost />
      <Button variant="line" onClick={() => showToast('Text copied')}>
        Show another
      </Button>
    </>
  )
}
