import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { NotificationLevel } from '#contract/notification-rule'
import { setNotificationSettings, setWorkspaceLevel } from '#contract/notifications'
import { call } from '../../api-client/api.ts'
import { t } from '../../i18n/text.ts'
import { useIdentity } from '../../me.tsx'
import { levelName } from '../../people/level-choice.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { KeywordsForm } from './keywords-form.tsx'
import { LevelForm } from './level-form.tsx'
import { notificationSettings } from './settings-queries.ts'

function useSettings() {
  const { data, error, refetch } = useQuery(notificationSettings)
  useEffect(() => {
    if (error) console.error('Failed to load what notifies me:', error)
  }, [error])
  const status =
    !data && error ? <LoadError text={t('ui.loadFailed')} retry={() => void refetch()} /> : <SkeletonRows />
  return { settings: data, status }
}

/** What notifies me in channels for which I chose nothing else. */
export function DefaultLevel() {
  const client = useQueryClient()
  const { refresh } = useIdentity()
  const { settings, status } = useSettings()
  if (!settings) return status
  const { level, workspaceLevel } = settings

  async function save(chosen: NotificationLevel | null) {
    const saved = await call(setNotificationSettings, { body: { level: chosen } })
    client.setQueryData(notificationSettings.queryKey, saved)
    // The session has the level by which this page decides.
    await refresh()
  }

  return (
    <LevelForm
      legend={t('notifications.inChannels')}
      fallback={{
        name: t('notifications.level.workspace'),
        hint: t('notifications.level.now', { level: levelName(workspaceLevel) }),
      }}
      value={level}
      save={save}
    />
  )
}

/** The words that notify me besides mentions. */
export function Keywords() {
  const { settings } = useSettings()
  return settings && <KeywordsForm keywords={settings.keywords ?? []} />
}

/** What notifies everyone who chose nothing else. For the owner and admins. */
export function WorkspaceLevel() {
  const client = useQueryClient()
  const { refresh } = useIdentity()
  const { settings, status } = useSettings()
  if (!settings) return status

  async function save(level: NotificationLevel | null) {
    if (!level) return
    await call(setWorkspaceLevel, { body: { level } })
    client.setQueryData(notificationSettings.queryKey, (now) => now && { ...now, workspaceLevel: level })
    await refresh()
  }

  return (
    <div className="max-w-sm">
      <LevelForm
        legend={t('notifications.ofWorkspace')}
        hint={t('notifications.ofWorkspaceHint')}
        value={settings.workspaceLevel}
        save={save}
      />
    </div>
  )
}
