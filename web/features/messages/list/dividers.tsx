import type { ReactNode } from 'react'
import { t } from '../../../i18n/text.ts'
import { useDayName } from '../../../ui/format/clock-time.ts'

export function DayDivider({ time }: { time: string }) {
  return (
    <LineDivider>
      <h2>
        <Day time={time} />
      </h2>
    </LineDivider>
  )
}

/** Text between two horizontal lines. */
export const LineDivider = ({ children }: { children: ReactNode }) => (
  <div className="flex conversation-column items-center gap-3 px-(--gutter) pt-4 pb-2 font-[550] text-faint text-meta">
    <span className="h-px flex-1 bg-line" />
    <div>{children}</div>
    <span className="h-px flex-1 bg-line" />
  </div>
)

/** Marks the first unread message. If a new day begins there, one line shows both. */
export function NewDivider({ time }: { time: string | undefined }) {
  return (
    <div className="flex conversation-column items-center gap-3 px-(--gutter) pt-3 pb-1.5 font-[600] text-ember text-meta">
      <span className="h-px flex-1 bg-ember/50" />
      {time && (
        <h2 className="font-[550] text-faint">
          <Day time={time} />
        </h2>
      )}
      {time && <span className="h-px flex-1 bg-ember/50" />}
      <p>{t('messages.list.new')}</p>
      <span className={`h-px bg-ember/50 ${time ? 'w-6' : 'flex-1'}`} />
    </div>
  )
}

/** Marks a gap of messages that are not loaded. */
export function Gap() {
  return (
    <p className="conversation-column px-(--gutter) pt-4 pb-2 text-center text-faint text-meta">
      {t('messages.list.gap')}
    </p>
  )
}

const Day = ({ time }: { time: string }) => useDayName(time)
