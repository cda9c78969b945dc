import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endSession, endSessions, type Session } from '#contract/sessions'
import { call } from '../../api-client/api.ts'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { useRelativeTime } from '../../ui/format/relative-time.ts'
import { Button } from '../../ui/input/button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { Tag } from '../../ui/tag.tsx'
import { mySessions } from './identity-queries.ts'

/** The devices where I am signed in, with buttons to sign them out. */
export function SessionList() {
  const client = useQueryClient()
  const { data: sessions, error, refetch } = useQuery(mySessions)
  const {
    mutate,
    error: failure,
    isPending,
  } = useMutation({
    mutationFn: (session: Session | 'others') =>
      session === 'others'
        ? call(endSessions, { query: { except: 'current' } })
        : call(endSession, { params: { sessionId: session.id } }),
    onError: (problem) => console.error('Failed to sign out device:', problem),
    // Even after a failure, because the session may have ended already.
    onSettled: () => client.invalidateQueries({ queryKey: mySessions.queryKey }),
  })
  useEffect(() => {
    if (error) console.error('Failed to load devices:', error)
  }, [error])

  if (!sessions && error) return <LoadError text={t('identity.devices.loadFailed')} retry={() => void refetch()} />
  if (!sessions) return <SkeletonRows />
  return (
    <>
      <ul className="-mt-2" aria-label={t('identity.devices.title')}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} isBusy={isPending} onEnd={() => mutate(session)} />
        ))}
      </ul>
      {sessions.some(({ isNew, isCurrent }) => isNew && !isCurrent) && (
        <p className="mt-2 text-pretty text-meta text-soft">{t('identity.devices.newHint')}</p>
      )}
      {failure && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {t('identity.devices.signOutFailed')}
        </p>
      )}
      {sessions.length > 1 && (
        <Button variant="line" className="mt-3 pointer-coarse:h-11" isBusy={isPending} onClick={() => mutate('others')}>
          {t('identity.devices.signOutOthers')}
        </Button>
      )}
    </>
  )
}

interface RowProps {
  session: Session
  isBusy: boolean
  onEnd: () => void
}

function SessionRow({ session, isBusy, onEnd }: RowProps) {
  const { ipAddress, isCurrent, isNew, lastUsedAt } = session
  const device = deviceText(session)
  const used = useRelativeTime(lastUsedAt)
  return (
    <li className="flex min-h-13 items-center gap-3 border-line border-b py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-ui">
          <bdi className="truncate font-[550]" title={device}>
            {device}
          </bdi>
          {isNew && !isCurrent && <Tag>{t('identity.devices.new')}</Tag>}
          {isCurrent && <Tag>{t('identity.devices.current')}</Tag>}
        </p>
        <p className="truncate text-meta text-soft">
          {isCurrent ? t('identity.devices.activeNow') : t('identity.devices.active', { time: used })}
          {ipAddress && (
            <>
              {' · '}
              <bdi dir="ltr">{ipAddress}</bdi>
            </>
          )}
        </p>
      </div>
      {!isCurrent && (
        <Button
          className="-me-3 pointer-coarse:h-11"
          aria-label={t('identity.devices.signOutDevice', { device, time: used })}
          isBusy={isBusy}
          onClick={onEnd}
        >
          {t('identity.devices.signOut')}
        </Button>
      )}
    </li>
  )
}

/** 'Firefox on Linux' */
function deviceText({ browser, system, isApp }: Session) {
  if (browser && system) return t('identity.devices.browserOn', { browser, system })
  return browser ?? system ?? (isApp ? t('identity.devices.unknownApp') : t('identity.devices.unknown'))
}
