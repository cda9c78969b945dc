import { useEffect, useState } from 'react'
import { Link, useNavigate, useOutletContext, useSearchParams } from 'react-router'
import { useTitle } from '../../browser/tab-title.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { claimShares, readShare, removeShare, type SharedContent } from '../../ui/device/shares.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button, buttonClass } from '../../ui/input/button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { type FrameContext, PageHeader } from '../page-header.tsx'
import { ChooseConversation } from './choose-conversation.tsx'
import { SharedPreview } from './shared-preview.tsx'

/** What another app shared, and where to put it. Lazy-loaded. */
export default function SharePage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const id = params.get('id') ?? ''
  const content = useShare(id, me.id)
  useTitle(t('share.title'))
  // Going back must not lead here again.
  const leave = (to: string) => void navigate(to, { replace: true })
  function cancel() {
    removeShare(id).catch((error) => console.error('Failed to remove what was shared:', error))
    leave(paths.dashboard)
  }
  return (
    <div className="centers-column flex min-h-0 flex-1 flex-col">
      <PageHeader frame={frame}>
        <h1 className="min-w-0 flex-1 truncate font-[650] text-head tracking-[-0.01em]">{t('share.title')}</h1>
        {content && <Button onClick={cancel}>{t('ui.cancel')}</Button>}
      </PageHeader>
      {content === undefined && <SkeletonRows />}
      {content === null && (
        <Notice title={t('share.gone')}>
          {t('share.goneHint')}
          <div>
            <Link to={paths.dashboard} replace className={buttonClass('line', 'mt-4')}>
              {t('share.toConversations')}
            </Link>
          </div>
        </Notice>
      )}
      {content && (
        <div
          key={id}
          className="flex min-h-0 conversation-column w-full flex-1 flex-col gap-3 overflow-y-auto px-(--gutter) pt-4 pb-2"
        >
          <SharedPreview content={content} />
          <ChooseConversation id={id} content={content} onChosen={(channelId) => leave(paths.channel(channelId))} />
        </div>
      )}
    </div>
  )
}

/** Undefined while it is read; null if it is not on this device. */
function useShare(id: string, myId: string): SharedContent | null | undefined {
  const [found, setFound] = useState<{ id: string; content: SharedContent | null }>()
  useEffect(() => {
    let isCurrent = true
    const show = (content: SharedContent | null) => isCurrent && setFound({ id, content })
    claimShares(myId)
      .catch((error) => console.warn('Failed to claim what was shared:', error))
      .then(() => readShare(id, myId))
      .then(show, (error) => {
        console.error('Failed to read what was shared:', error)
        show(null)
      })
    return () => {
      isCurrent = false
    }
  }, [id, myId])
  return found?.id === id ? found.content : undefined
}
