import type { QueryClient } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import { archiveOf, exportName, myExports } from '../features/exports/export-queries.ts'
import { notify } from '../features/notifications/notification-bus.ts'
import { isWindowOnScreen } from '../features/notifications/on-screen.ts'
import { withTexts } from '../i18n/language.ts'
import { t } from '../i18n/text.ts'
import { paths } from '../paths.ts'
import { download } from '../ui/device/download.ts'
import { showToast } from '../ui/feedback/toast.tsx'
import { amQuiet } from './my-quietness.ts'

/** People wait for it, and dialogs cover it. */
const TOAST_MS = 60_000

/**
 * Says that an export of mine is over: in the window, unless it shows my exports anyway, and by a notification while it is in
 * the background. Lazy-loaded.
 */
export async function tellExport(client: QueryClient, { id }: Payload<'export:finished'>, me: string) {
  const isListed = client.getQueryCache().find({ queryKey: myExports.queryKey })?.isActive()
  await client.invalidateQueries({ queryKey: myExports.queryKey })
  const exports = await client.fetchQuery({ ...myExports, staleTime: isListed ? Number.POSITIVE_INFINITY : 0 })
  const item = exports.find((it) => it.id === id)
  if (!item) return
  await withTexts(async () => {
    const isDone = item.state === 'done'
    const title = isDone ? t('exports.ready', { name: exportName(item) }) : t('exports.gaveUp')
    const action = { name: t('exports.download'), act: () => void download(archiveOf(item)) }
    if (!isListed) showToast(title, { durationMs: TOAST_MS, ...(isDone && { action }) })
    if (await amQuiet(client)) return
    notify({
      id,
      address: item.scope === 'workspace' ? paths.admin('export') : paths.home,
      authorId: me,
      title,
      content: '',
      isRead: () => false,
      isOnScreen: isWindowOnScreen,
    })
  })
}
