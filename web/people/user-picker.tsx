import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import type { Profile } from '#contract/users'
import { t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { LoadError } from '../ui/feedback/load-error.tsx'
import { SearchCombobox } from '../ui/list/combobox.tsx'
import { UserLine } from './user-line.tsx'
import { InvalidReplyError } from './user-queries.ts'
import { useUserSearch } from './user-search.ts'

interface Props {
  /** The ids of users not to offer; undefined while unknown. */
  without: ReadonlySet<string> | undefined
  chosen: Profile[]
  onChoose: (chosen: Profile[]) => void
  maxChosen: number
  /** Users to offer last, in a group of their own. */
  lastGroup?: { title: string; ids: Pick<ReadonlySet<string>, 'has'> } | undefined
  /** Whether I can be chosen as well. */
  offersMe?: boolean
  /** Shown below the field. */
  hint?: string
  /** Shown below the list. */
  children?: ReactNode
}

/** Picks users, searched by username or name. */
export function UserPicker({ without, chosen, onChoose, maxChosen, lastGroup, offersMe, hint, children }: Props) {
  const me = useMe()
  const [query, setQuery] = useState('')
  const sought = query.trim().toLowerCase()
  const searched = useDeferredValue(sought)
  const { people, isCurrent, error, refetch } = useUserSearch(searched)
  useEffect(() => {
    if (error) console.error('Failed to load users:', error)
  }, [error])

  if (!people && error) {
    const text = error instanceof InvalidReplyError ? t('people.invalidReply') : t('people.loadFailed')
    return <LoadError text={text} retry={() => void refetch()} />
  }
  const isOffered = ({ id }: Profile) => (offersMe || id !== me.id) && !without?.has(id)
  const isLast = ({ id }: Profile) => lastGroup?.ids.has(id) === true
  const offered = people && without ? people.filter(isOffered) : undefined
  return (
    <SearchCombobox
      label={t('people.search')}
      options={lastGroup ? offered?.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))) : offered}
      isSettled={isCurrent && searched === sought}
      nameOf={({ name }) => name}
      renderOption={(person) => <UserLine person={person} />}
      query={query}
      onQuery={setQuery}
      chosen={chosen}
      renderMark={({ id, name, color }) => <Avatar id={id} name={name} color={color} size="xs" />}
      onChoose={onChoose}
      maxChosen={maxChosen}
      empty={t('people.none')}
      lastGroup={lastGroup && { title: lastGroup.title, has: isLast }}
      hint={hint}
    >
      {children}
    </SearchCombobox>
  )
}
