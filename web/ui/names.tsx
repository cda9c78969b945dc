import { Fragment } from 'react'
import { t } from '../i18n/text.ts'

interface Props {
  of: readonly { id: string; name: string; username: string }[]
  /** Only first names, unless two are the same. */
  isShort?: boolean
  /** Whether a tooltip shows the usernames. */
  isTitled?: boolean
  /** Whether they may take several lines, instead of being cut off. */
  wraps?: boolean
}

/** Several names, each in its own writing direction. */
export function Names({ of: people, isShort = false, isTitled = true, wraps = false }: Props) {
  const title = people.map(({ name, username }) => `${name} (@${username})`).join(t('ui.listComma'))
  return (
    <span className={wraps ? '' : 'min-w-0 flex-1 truncate'} title={isTitled ? title : undefined}>
      {(isShort ? shortNames(people) : people).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && t('ui.listComma')}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </span>
  )
}

function shortNames(people: Props['of']) {
  const firstOf = (name: string) => name.split(' ', 1)[0]
  const isShared = (first: string | undefined) => people.filter(({ name }) => firstOf(name) === first).length > 1
  return people.map(({ id, name }) => ({ id, name: isShared(firstOf(name)) ? name : firstOf(name) }))
}
