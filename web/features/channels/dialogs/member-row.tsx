import { Crown, UserMinus } from 'lucide-react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import type { Profile } from '#contract/users'
import { useMe } from '../../../me.tsx'
import { UserLine } from '../../../people/user-line.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { MemberChange } from './member-change-dialog.tsx'

interface Props {
  channel: Channel
  person: Profile
  onChange: (change: MemberChange) => void
}

export function MemberRow({ channel, person, onChange }: Props) {
  const me = useMe()
  const { id, name } = person
  return (
    <li className="group flex min-h-11 items-center gap-1 rounded-m py-0.5 pl-3 hover:bg-hover">
      <UserLine person={person} />
      {id === channel.ownerId && (
        <span className="mr-3 flex">
          <Tag>Owner</Tag>
        </span>
      )}
      {can.removeMember(me, channel, id) && (
        <span className="mr-1.5 flex flex-none gap-1">
          <IconButton name={`Make ${name} the owner`} onClick={() => onChange({ kind: 'promote', person })}>
            <Crown size={16} />
          </IconButton>
          <IconButton name={`Remove ${name}`} onClick={() => onChange({ kind: 'remove', person })}>
            <UserMinus size={16} />
          </IconButton>
        </span>
      )}
    </li>
  )
}
