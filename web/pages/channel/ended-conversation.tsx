import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Channel } from '#contract/channels'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import { useUnsent } from '../../features/messages/outbox/draft-list.ts'
import { UnsentList } from '../../features/messages/outbox/unsent-list.tsx'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/input/button.tsx'
import type { Ended } from './use-leave-ended-channel.ts'

interface Props {
  channelId: string
  /** How it ended; undefined if it was missing from the start. */
  ended: Ended | undefined
  /** The channel, if it can be read again. */
  back: Channel | undefined
  onBack: () => void
}

/**
 * Replaces a conversation that no longer exists: reports why, and shows what was not sent. It does not take the focus,
 * so that keys being typed do nothing. Lazy-loaded.
 */
export default function EndedConversation({ channelId, ended, back, onBack }: Props) {
  const { title, more } = ended
    ? textOf(ended)
    : { title: t('channels.ended.notFound'), more: t('channels.ended.notFoundMore') }
  const unsent = useUnsent(channelId)
  const { data: channels } = useQuery(sharedChannels)
  const elsewhere = channels?.find(({ isGeneral }) => isGeneral) ?? channels?.find(({ isMember }) => isMember)
  return (
    <section
      aria-label={title}
      data-region=""
      tabIndex={-1}
      // As high as if there were a composer below.
      className="grid min-h-0 flex-1 overflow-y-auto overscroll-contain px-(--gutter) pt-6 pb-34 outline-none short:pb-6"
    >
      <div className="m-auto w-full max-w-[560px]">
        <div className="text-center">
          <Announced>
            <h1 className="font-[620] [overflow-wrap:anywhere]">{title}</h1>
            <p className="mt-1 text-soft text-ui">{more}</p>
          </Announced>
          <p className="mt-4 flex flex-wrap justify-center gap-2">
            {back && (
              <Button variant="pine" onClick={onBack}>
                {back.isMember
                  ? t('channels.ended.open', { channel: back.name })
                  : t('channels.ended.preview', { channel: back.name })}
              </Button>
            )}
            {elsewhere && (
              <Link
                to={paths.channel(elsewhere.id)}
                className="inline-flex h-8 items-center justify-center rounded-s border border-line-strong bg-paper px-3 font-[550] text-ink text-ui hover:bg-hover active:bg-press pointer-coarse:min-h-11"
              >
                {t('channels.ended.goTo', { channel: elsewhere.name })}
              </Link>
            )}
          </p>
        </div>
        {unsent.length > 0 && (
          <>
            <h2 className="mt-8 mb-2 font-[600] text-soft text-ui">{t('drafts.notSentYet')}</h2>
            <UnsentList label={t('drafts.notSent')} items={unsent} />
          </>
        )}
      </div>
    </section>
  )
}

/** Screen readers announce only what is added to a live region after it was rendered. */
function Announced({ children }: { children: ReactNode }) {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return <div role="status">{isMounted && children}</div>
}

/** Reveals nothing that a non-member may not know. */
function textOf({ why, channel: { name, isMember } }: Ended) {
  if (why === 'deleted')
    return { title: t('channels.ended.deleted', { channel: name }), more: t('channels.ended.deletedMore') }
  if (why === 'closed' || !isMember)
    return { title: t('channels.ended.private', { channel: name }), more: t('channels.ended.privateMore') }
  return { title: t('channels.ended.left', { channel: name }), more: t('channels.ended.leftMore') }
}
