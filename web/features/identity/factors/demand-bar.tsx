import { ShieldCheck } from 'lucide-react'
import { t } from '../../../i18n/text.ts'
import { shortDate } from '../../../ui/format/short-date.ts'
import { Button } from '../../../ui/input/button.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'

const setupDialog = () => import('./setup-dialog.tsx')

interface Props {
  /** Null once I have a second factor, or the date is taken back. The dialog stays, because it may show my recovery codes. */
  startsAt: string | null
  isSettingUp: boolean
  onSetUp: (isSettingUp: boolean) => void
}

/** Says from when I need a second factor, and sets it up. Lazy-loaded. */
export default function DemandBar({ startsAt, isSettingUp, onSetUp }: Props) {
  return (
    <>
      {startsAt && <Announcement startsAt={startsAt} onSetUp={() => onSetUp(true)} />}
      {isSettingUp && <LazyDialog load={setupDialog} onClose={() => onSetUp(false)} />}
    </>
  )
}

function Announcement({ startsAt, onSetUp }: { startsAt: string; onSetUp: () => void }) {
  return (
    <section
      aria-label={t('demand.pageTitle')}
      className="flex min-h-10 flex-wrap items-center gap-2 border-line border-b bg-sunk px-(--gutter) py-1.5 text-ui"
    >
      <ShieldCheck size={16} className="flex-none text-pine" />
      <p role="status" className="min-w-0 flex-1 basis-52 text-pretty">
        {t('demand.bar', { date: shortDate(startsAt) })}
      </p>
      <Button variant="line" className="pointer-coarse:h-11" onClick={onSetUp}>
        {t('demand.setUp')}
      </Button>
    </section>
  )
}
