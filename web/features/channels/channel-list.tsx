import { useQuery } from '@tanstack/react-query'
import { Hash, Lock, Plus } from 'lucide-react'
import { memo, useState } from 'react'
import { NavLink } from 'react-router'
import type { Channel } from '#contract/channels'
import { paths } from '../../paths.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useLate } from '../../ui/late.tsx'
import { sharedChannels } from './channel-queries.ts'

/** The sidebar's channels, and the way to make one. */
export function ChannelList() {
  const [creating, setCreating] = useState(false)
  const dialog = useLate(() => import('./create-channel-dialog.tsx'))

  async function create() {
    await dialog.fetch()
    setCreating(true)
  }

  return (
    <section>
      <h2 className="flex items-center justify-between pt-2 pr-0.5 pb-1 pl-2 font-[600] text-faint text-micro tracking-[0.05em]">
        CHANNELS
        <IconButton name="Create channel" className="size-6" onClick={create} onPointerEnter={dialog.fetch}>
          <Plus size={16} />
        </IconButton>
      </h2>
      {creating && dialog.failed && (
        <p role="alert" className="px-2 py-1 text-danger">
          The dialog could not be loaded. Check your connection.
        </p>
      )}
      <Channels />
      {creating && dialog.Part && <dialog.Part onClose={() => setCreating(false)} />}
    </section>
  )
}

function Channels() {
  const { data: channels, error } = useQuery(sharedChannels)
  if (!channels && error) return <p className="px-2 py-1 text-danger">Failed to load channels</p>
  if (!channels) return <p className="px-2 py-1 text-faint">Fetching channels...</p>
  return (
    <ul>
      {channels.map((channel) => (
        <li key={channel.id}>
          <ChannelRow channel={channel} />
        </li>
      ))}
    </ul>
  )
}

const ChannelRow = memo(function ChannelRow({ channel }: { channel: Channel }) {
  const Icon = channel.isPrivate ? Lock : Hash
  const { members } = channel._count
  return (
    <NavLink
      to={paths.channel(channel.id)}
      className={({ isActive }) =>
        `group flex h-(--row) items-center gap-2 rounded-s px-2 focus-visible:-outline-offset-2 ${isActive ? 'bg-pine-wash font-[600] text-ink' : 'text-soft hover:bg-hover'}`
      }
    >
      <Icon size={16} className="group-aria-[current=page]:text-pine" />
      <bdi className="min-w-0 flex-1 truncate" title={channel.name}>
        {channel.name}
      </bdi>
      {channel.isPrivate && (
        <span className="rounded-[4px] border border-line-strong px-1.25 font-[500] text-faint text-micro leading-4">
          Private
        </span>
      )}
      <span
        className="font-[400] text-faint text-meta tabular-nums"
        title={`${members} ${members === 1 ? 'member' : 'members'}`}
      >
        {members}
        <span className="sr-only"> {members === 1 ? 'member' : 'members'}</span>
      </span>
    </NavLink>
  )
})
