import { UserRoundCheck, UserRoundX } from 'lucide-react'
import { can } from '#contract/can'
import type { Account } from '#contract/workspace'
import { useMe } from '../../me.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { Tag } from '../../ui/tag.tsx'

const titles = { owner: 'Owner', admin: 'Admin', member: undefined }

export function AccountRow({ person, onChange }: { person: Account; onChange: () => void }) {
  const me = useMe()
  const { id, name, username, email, role, deactivatedAt } = person
  const isOut = deactivatedAt !== null
  const title = isOut ? 'Deactivated' : titles[role]
  return (
    <li className="flex min-h-13 items-center gap-3 rounded-m px-3 py-1 hover:bg-hover">
      <span className={isOut ? 'grayscale' : undefined}>
        <Avatar id={id} name={name} size="m" />
      </span>
      <div className="min-w-0 flex-1 leading-tight">
        <p className="flex items-center gap-2 text-ui">
          <bdi className="truncate font-[550]" title={name}>
            {name}
          </bdi>
          <span className="truncate text-faint" title={`@${username}`}>
            @{username}
          </span>
          {title && <Tag>{title}</Tag>}
        </p>
        <p className="truncate text-meta text-soft" title={email}>
          {email}
        </p>
      </div>
      {can.deactivate(me, person) && (
        <IconButton name={isOut ? `Reactivate ${name}` : `Deactivate ${name}`} onClick={onChange}>
          {isOut ? <UserRoundCheck size={16} /> : <UserRoundX size={16} />}
        </IconButton>
      )}
    </li>
  )
}
