import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMe } from '../../me.tsx'
import { NearEnd } from '../../ui/near-end.tsx'
import { AssistantRow } from './assistant-row.tsx'
import type { ChannelAct } from './channel-menu.tsx'
import { directMessages, isWithAssistant } from './channel-queries.ts'
import { DirectRow } from './direct-row.tsx'
import { ListHead } from './list-head.tsx'
import { isUnread } from './unread.ts'

interface Props {
  /** The button in the heading. */
  add: ReactNode
  renderMark: (channelId: string) => ReactNode
  onAct: (act: ChannelAct, channelId: string) => void
}

const PAGE = 50

/** The sidebar's direct messages, the liveliest first; more of them are drawn as the reader comes near. */
export function DirectList({ add, renderMark, onAct }: Props) {
  const me = useMe()
  const { data: all = [], isSuccess: isLoaded } = useQuery(directMessages)
  const [count, setCount] = useState(PAGE)
  // One that is unread is there to be found, however long ago something was said in it.
  const drawn = Math.max(count, all.findLastIndex(isUnread) + 1)
  return (
    <section aria-labelledby="direct-messages" className="mt-2">
      <ListHead id="direct-messages" title="DIRECT MESSAGES">
        {add}
      </ListHead>
      <ul>
        {isLoaded && !all.some(isWithAssistant) && <AssistantRow />}
        {all.slice(0, drawn).map((channel) => (
          <DirectRow key={channel.id} channel={channel} me={me.id} renderMark={renderMark} onAct={onAct} />
        ))}
      </ul>
      {drawn < all.length && <NearEnd key={drawn} onNear={() => setCount(drawn + PAGE)} />}
    </section>
  )
}
