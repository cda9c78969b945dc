import { Fragment } from 'react'

/** Several names in a truncated line, each in its own writing direction. */
export function Names({ of: people }: { of: { id: string; name: string; username: string }[] }) {
  const title = people.map(({ name, username }) => `${name} (@${username})`).join(', ')
  return (
    <span className="min-w-0 flex-1 truncate" title={title}>
      {people.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </span>
  )
}
