import { useState } from 'react'
import { hasJustArrived } from './arrivals.ts'

interface Props {
  /** The key of what has arrived if the number changes live. */
  of: string
  children: string
}

/** A number as text that rolls in when it changes live, but not when it appears or was missed. */
export function Rolling({ of, children }: Props) {
  const [shown, setShown] = useState({ text: children, change: 0, rolls: false })
  if (shown.text !== children)
    setShown(({ change }) => ({ text: children, change: change + 1, rolls: hasJustArrived(of) }))
  return (
    <span key={shown.change} className={shown.rolls ? 'inline-block animate-roll' : ''}>
      {children}
    </span>
  )
}
