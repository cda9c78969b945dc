import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { setPreference } from '../../../browser/preferences.ts'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { DialogButton } from '../../../ui/dialog/dialog-button.tsx'
import { LongList } from '../../../ui/list/long-list.tsx'
import { sidebarSections } from '../cache/channel-queries.ts'
import { unreadKinds } from '../cache/unread.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useOpenChannel } from '../menu/use-open-channel.ts'
import { ChannelRow } from './channel-row.tsx'
import { ListError } from './list-error.tsx'
import { ListHead } from './list-head.tsx'
import { seenChannels, useIsNotJoinedShown } from './not-joined.ts'

interface Props {
  /** Renders a mark in place of the count, such as the pencil of a draft. */
  renderMark: (channelId: string) => ReactNode
  onAct: (act: ChannelAct, channelId: string) => void
}

/** The sidebar's channels: mine, then those that I have not joined; with a button to create one. */
export function ChannelList(props: Props) {
  const me = useMe()
  return (
    <section aria-labelledby="channels">
      <ListHead id="channels" title={t('channels.list.channels')}>
        {(can.createChannel(me, false) || can.createChannel(me, true)) && (
          <DialogButton
            name={t('channels.create.open')}
            className="h-6 w-6"
            load={() => import('../dialogs/create-channel-dialog.tsx')}
          >
            <Plus size={16} />
          </DialogButton>
        )}
      </ListHead>
      <Channels {...props} />
    </section>
  )
}

function Channels({ renderMark, onAct }: Props) {
  const openId = useOpenChannel()
  const { data: sections, error, refetch } = useQuery(sidebarSections)
  const isNotJoinedShown = useIsNotJoinedShown(sections)
  const [isArchiveShown, setArchiveShown] = useState(false)
  useEffect(() => {
    if (error) console.error('Failed to load channels:', error)
  }, [error])

  if (!sections && error) return <ListError retry={() => void refetch()} />
  if (!sections) return <p className="px-2 py-1 text-faint">{t('channels.list.loading')}</p>
  const renderRow = (channel: Channel) => <ChannelRow channel={channel} renderMark={renderMark} onAct={onAct} />
  const { channels, notJoined, archived } = sections
  const folded = { openId, renderRow }
  return (
    <>
      <LongList rows={channels} openId={openId} sought={unreadKinds} renderRow={renderRow} />
      <Folded
        {...folded}
        name={t('channels.list.notJoined')}
        rows={notJoined}
        isShown={isNotJoinedShown}
        onToggle={() => setPreference('notJoined', isNotJoinedShown ? 'hidden' : 'shown')}
      />
      <Folded
        {...folded}
        name={t('channels.list.archived')}
        rows={archived}
        isShown={isArchiveShown}
        onToggle={() => setArchiveShown(!isArchiveShown)}
      />
    </>
  )
}

interface FoldedProps {
  name: string
  rows: readonly Channel[]
  isShown: boolean
  onToggle: () => void
  openId: string | undefined
  renderRow: (channel: Channel) => ReactNode
}

/** Channels below a heading that unfolds them. Renders nothing without channels. */
function Folded({ name, rows, isShown, onToggle, openId, renderRow }: FoldedProps) {
  const id = useId()
  if (rows.length === 0) return null
  return (
    <>
      <button
        type="button"
        aria-expanded={isShown}
        aria-controls={id}
        data-not-joined=""
        onClick={onToggle}
        className="mt-1 flex h-7 w-full items-center gap-2 rounded-s px-2 font-[500] text-faint text-meta focus-visible:-outline-offset-2 pointer-coarse:h-11"
      >
        <ChevronDown size={16} className={isShown ? '' : '-rotate-90 rtl:rotate-90'} />
        <span className="flex-1 text-start">{name}</span>
        <span className="tabular-nums">{formatNumber(rows.length)}</span>
      </button>
      <div id={id}>
        <LongList
          rows={seenChannels(rows, isShown, openId)}
          openId={openId}
          sought={unreadKinds}
          renderRow={renderRow}
        />
      </div>
    </>
  )
}
