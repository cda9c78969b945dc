import { useState } from 'react'

/** A number as text that rolls in when it changes, but not when it appears. */
export function Rolling({ children }: { children: string }) {
  const [first] = useState(children)
  return (
    <span key={children} className={children === first ? '' : 'inline-block animate-roll'}>
      {children}
    </span>
  )
}
