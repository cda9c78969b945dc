import { ChevronLeft, Hash, Lock, Users } from 'lucide-react'
import type { Channel } from '#contract/channels'
import { IconButton } from '../../ui/icon-button.tsx'

export function ChannelHeader({ channel, onBack }: { channel: Channel | undefined; onBack: () => void }) {
  const Icon = channel?.isPrivate ? Lock : Hash
  const members = channel?._count.members ?? 0
  return (
    <header className="flex h-(--bar) flex-none items-center gap-2 border-line border-b px-2 wide:pr-3 wide:pl-(--gutter)">
      <IconButton name="Show channels" className="wide:hidden" onClick={onBack}>
        <ChevronLeft size={20} />
      </IconButton>
      {channel && (
        <>
          {channel.isPrivate && <span className="sr-only">Private channel</span>}
          <h1 className="flex min-w-0 items-center gap-1.5 font-[650] text-head tracking-[-0.01em]">
            <Icon size={18} />
            <bdi className="truncate" title={channel.name}>
              {channel.name}
            </bdi>
          </h1>
          {channel.topic && (
            <p
              className="ml-1 hidden min-w-0 truncate border-line-strong border-l pl-3 text-faint text-ui wide:block"
              title={channel.topic}
            >
              {channel.topic}
            </p>
          )}
          <span className="ml-auto flex flex-none items-center gap-1.5 px-2 text-faint text-ui tabular-nums">
            <Users size={16} />
            <span className="sr-only">Members:</span>
            {members}
          </span>
        </>
      )}
    </header>
  )
}
