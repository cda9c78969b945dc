import type { ReactNode } from 'react'

/** One part of the interface in its states. */
export interface Exhibit {
  name: string
  show: (theme: 'light' | 'dark') => ReactNode
}

export const LONG = 'reading-group-for-distributed-systems-and-friends-of-consensus'
const RTL = 'נועה לוי'
export const ARABIC = 'قناة الترحيب بالزملاء الجدد'

export const people = [
  { id: 'u-ada', name: 'Ada Lovelace', username: 'ada' },
  { id: 'u-noa', name: RTL, username: 'noa' },
  { id: 'u-mei', name: '田中 美雪', username: 'mei' },
  { id: 'u-long', name: 'Wolfeschlegelsteinhausenbergerdorff the Elder', username: 'wolfe' },
  { id: 'u-emoji', name: '👩🏽‍🚀 Zoe', username: 'zoe' },
  { id: 'assistant-bot', name: 'Assistant', username: 'assistant' },
]

/** States side by side, each with its name below. */
export const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-end gap-x-4 gap-y-3">{children}</div>
)

export const State = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 max-w-full flex-col items-start gap-1.5">
    {children}
    <span className="text-faint text-micro">{name}</span>
  </div>
)

/** Makes the border of a field look focused. */
export const Focused = ({ children }: { children: ReactNode }) => (
  <div ref={(element) => element?.querySelector('.field-edge')?.setAttribute('data-state', 'focus')}>{children}</div>
)

/** Full width, for parts that fill their container. */
export const Block = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1.5">
    {children}
    <span className="text-faint text-micro">{name}</span>
  </div>
)
