import type { ReactNode } from 'react'
import { t } from '../../i18n/text.ts'

interface Props {
  title: string
  detail: string
  /** Unknown if omitted. */
  value?: number
  max?: number
  action?: ReactNode
}

/** A running task with its progress and a way to stop it. */
export function Progress({ title, detail, value, max = 1, action }: Props) {
  return (
    <div className="rounded-l border border-line px-4 py-3.5">
      <div className="flex items-center gap-3 text-ui">
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-[600]">{title}</bdi>
          <span className="block text-meta text-soft tabular-nums">{detail}</span>
        </span>
        {action}
      </div>
      <progress
        aria-label={t('imports.progressLabel')}
        {...(value !== undefined && { value })}
        max={max}
        className="mt-3 block h-1 w-full accent-pine"
      />
    </div>
  )
}
