import { Download, Trash2 } from 'lucide-react'
import type { Export } from '#contract/exports'
import { formatNumber, numberFormat } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { download } from '../../ui/device/download.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { useRelativeTime } from '../../ui/format/relative-time.ts'
import { useRemaining } from '../../ui/format/remaining.ts'
import { Button } from '../../ui/input/button.tsx'
import { archiveOf, exportName, isLive } from './export-queries.ts'

/** An archive: its progress, or a button to download it. */
export function ExportRow({ item, onDelete }: { item: Export; onDelete: () => void }) {
  const { state, messages, total, size, createdAt } = item
  const ago = useRelativeTime(createdAt)
  const remaining = useRemaining(messages, total)
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-1.5 text-ui first:border-t-0">
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-[550]">{exportName(item)}</bdi>
        <span className="block text-faint text-meta">
          {ago}
          {' · '}
          {state === 'done' && t('exports.done', { size: fileSize(size ?? 0), count: messages })}
          {state === 'failed' && t('exports.gaveUp')}
          {isLive(item) && t('exports.progress', { done: formatNumber(messages), total: formatNumber(total) })}
          {isLive(item) && remaining && ` · ${remaining}`}
        </span>
        {isLive(item) && (
          <progress
            aria-label={t('exports.progressLabel')}
            value={messages}
            max={Math.max(total, 1)}
            className="mt-1.5 block h-1 w-full max-w-80 accent-pine"
            title={numberFormat({ style: 'percent' }).format(total ? messages / total : 0)}
          />
        )}
      </span>
      {state === 'done' && (
        <Button variant="line" onClick={() => void download(archiveOf(item))}>
          <Download size={16} />
          {t('exports.download')}
        </Button>
      )}
      <Button aria-label={isLive(item) ? t('exports.cancel') : t('exports.delete')} className="px-2" onClick={onDelete}>
        <Trash2 size={16} />
      </Button>
    </li>
  )
}
